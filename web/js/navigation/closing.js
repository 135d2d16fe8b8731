// Closes what is open over the timeline.

import { isPart, leaveFinding } from "./evidence.js";
import { openedLast } from "../opened.js";

/**
 * Closes what was opened last. Without a finding's evidence, that is the selection as a whole: the span, the range and the single band.
 * @param {import("../context.js").Context} context
 */
export function closeLast(context) {
    const { store, selecting, say } = context;
    const { finding } = store.value;
    const last = openedLast(store);
    // A part of the account comes with the details of what is there.
    if (!finding) selecting.clear();
    else if (last === "finding" || last === undefined || isPart(finding.id)) leaveFinding(context);
    else if (last === "span") selecting.deselect();
    else {
        store.set({ range: null });
        say("The range is cleared");
    }
}
