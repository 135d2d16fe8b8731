// Closes what is open over the timeline.

import { leaveCalls } from "./call-samples.js";
import { isPart, leaveFinding } from "./evidence.js";
import { clearSearch } from "../search/searching.js";
import { closeHint, hintOf } from "../hints.js";
import { openedLast } from "../opened.js";
import { unpick, widen } from "../arranging/acts.js";

/**
 * Closes what was opened last. Without a finding's evidence, the selection is closed as a whole: the span, the range and the single band.
 * @param {import("../context.js").Context} context
 */
export function closeLast(context) {
    const { store, selecting, say } = context;
    if (unpick(context)) return;
    const { finding } = store.value;
    const last = openedLast(store);
    if (last === undefined && !finding && closeHint(context, hintOf(store.value))) return;
    // A part of the account comes with the details of what is there.
    if (last === "search") clearSearch(context);
    else if (last === "calls") leaveCalls(context);
    else if (last === "rows") widen(context);
    else if (!finding) selecting.clear();
    else if (last === "finding" || last === undefined || isPart(finding.id)) leaveFinding(context);
    else if (last === "span") selecting.deselect();
    else {
        store.set({ range: null });
        say("The range is cleared");
    }
}
