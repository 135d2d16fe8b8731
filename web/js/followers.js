// The parts of a viewer that are not on the screen: each follows the state, or events from outside, and acts on them. All are called once
// for each viewer, in this order.

import { OVERLAYS } from "./overlays/index.js";
import { startOverlays } from "./overlays/overlay.js";
import { announce } from "./announce.js";
import { followChoices } from "./choices.js";
import { followFiles, followLaunches } from "./files.js";
import { followClock } from "./clock.js";
import { followFindingInAddress } from "./finding-address.js";
import { followDismissed } from "./dismissed.js";
import { followFoldsInAddress } from "./folds.js";
import { followGestures } from "./gestures.js";
import { followHints } from "./hints.js";
import { followGrid } from "./grid/grid.js";
import { followHistory } from "./history.js";
import { followKeys } from "./keys.js";
import { followFileInAddress, followLink, followSelectionInAddress } from "./link/following.js";
import { followReturns } from "./link/returning.js";
import { followLabelInAddress } from "./label-address.js";
import { followOpened } from "./opened.js";
import { followNotes } from "./notes/notes.js";
import { followNotesInAddress } from "./notes/address.js";
import { followPrint } from "./print.js";
import { followRecent } from "./recent.js";
import { followRange } from "./range.js";
import { followRows } from "./arranging/follow.js";
import { followRowTools } from "./arranging/tools.js";
import { followScaling } from "./scaling.js";
import { followSearchInAddress } from "./search/address.js";
import { followSelection } from "./aside.js";
import { followSigns } from "./warming.js";
import { followState } from "./outside.js";
import { followTheme } from "./theme-switch.js";
import { showRequestedView, tellOfView } from "./requested-view.js";

/** @param {import("./context.js").Context} context */
export function followOverlays(context) {
    startOverlays(OVERLAYS, context);
}

/** @type {((context: import("./context.js").Context) => void)[]} */
export const FOLLOWERS = [
    // Before anything is remembered: it finds out whether this is a first visit.
    followHints,
    followState,
    followOpened,
    followTheme,
    followSelection,
    showRequestedView,
    tellOfView,
    followSigns,
    followFiles,
    followLaunches,
    followGestures,
    announce,
    followPrint,
    // The worker has to know a choice before an overlay asks for what depends on it: one change of the state calls both.
    followChoices,
    followRows,
    followRowTools,
    followOverlays,
    followRange,
    followGrid,
    followKeys,
    followScaling,
    followClock,
    followHistory,
    followFoldsInAddress,
    // The view that a log was left with comes first, so that a link can replace it; then the link, before what reads from the address.
    followReturns,
    followLink,
    followDismissed,
    followFindingInAddress,
    followLabelInAddress,
    followSearchInAddress,
    followNotes,
    followNotesInAddress,
    followSelectionInAddress,
    followFileInAddress,
    followRecent,
];
