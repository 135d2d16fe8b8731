// Taking a note: at the selected range, at the selected span, at the pointer, or in the middle of the view.

import { inLog } from "../page-time.js";
import { originOf, shownOf } from "../state.js";
import { part } from "../stage.js";

/** @param {import("../context.js").Context} context */
export function takeNote({ stage, store, timeline, note }) {
    const { range, span, view, pointer } = store.value;
    const log = shownOf(store.value);
    if (!log.log || !view) return note("Open a log first");
    const at = pointer ? timeline.pointing.timeAt(pointer.x) : undefined;
    const middle = (view.from + view.to) / 2;
    const ofSpan = span && span.log === log.number ? { from: span.start, to: span.end } : null;
    const onPage = range ?? { from: at ?? middle, to: at ?? middle };
    const time = !range && ofSpan ? ofSpan : { from: inLog(log, onPage.from), to: inLog(log, onPage.to) };
    const since = (/** @type {number} */ time) => Math.round(time - originOf(log));
    const dialog = /** @type {import("./dialog.js").LogNoting} */ (part(stage, "note-dialog"));
    dialog.show({ from: since(time.from), to: since(time.to), text: "" });
}
