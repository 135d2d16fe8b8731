// Closes what is open over the timeline.

import { isPart, leaveFinding } from "./evidence.js";
import { clearSearch } from "../search/searching.js";
import { closeHint, hintOf } from "../hints.js";
import { openedLast } from "../opened.js";

/**
 * Closes what was opened last. Without a finding's evidence, the selection is closed as a whole: the span, the range and the single band.
 * @param {import("../context.js").Context} context
 */
export function closeLast(context) {
    const { store, selecting, say } = context;
    const { finding } = store.value;
    const last = openedLast(store);
    if (last === undefined && !finding && closeHint(context, hintOf(store.value))) return;
    // A part of the account comes with the details of what is there.
    if (last === "search") clearSearch(context);
    else if (!finding) selecting.clear();
    else if (last === "finding" || last === undefined || isPart(finding.id)) leaveFinding(context);
    else if (last === "span") selecting.deselect();
    else {
        store.set({ range: null });
        say("The range is cleared");
    }
}
