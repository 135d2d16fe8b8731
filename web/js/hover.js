// The pointer on the timeline: describes what is under it, also when the pointer rests and the view moves.

import { describeHeader } from "./headers.js";
import { logOf, shownOf } from "./state.js";
import { timesOf } from "./page-time.js";
import { requestFrame } from "./frame.js";

/** How long the view must rest, in ms, before describing what has come under the pointer: while the view moves, drawing needs the time. */
const REST = 120;

/**
 * @param {import("./context.js").Context} context
 * @returns {(event: PointerEvent | null) => void} takes the pointer's place
 */
export function followPointer({ stage: { root, signal }, store, timeline, tooltip }) {
    /** The row whose header the pointer is on. */
    let header = "";
    /** The key of what was described last. */
    let described = "";
    /** @type {import("./viewport.js").View | null} */
    let view = null;
    let resting = 0;
    let { span } = store.value;
    let { rows } = shownOf(store.value);
    /** Whether the selection has moved since the pointer did: then nothing under the pointer is of interest. */
    let quiet = false;
    const describe = () => {
        if (quiet) return;
        const { pointer } = store.value;
        const pixel = pointer && timeline.pointing.pixelAt(pointer.x, pointer.y);
        const log = logOf(store.value, pixel?.log ?? 0);
        const now = JSON.stringify([pixel, log.log?.status.offset, store.value.clock]);
        if (now === described) return;
        described = now;
        if (header) return;
        void tooltip.show(pixel && pointer && { ...pixel, ...pointer }, timesOf(store.value, log));
    };
    const describeNow = requestFrame(describe);
    const moved = () => {
        clearTimeout(resting);
        tooltip.hide();
        described = "";
        header = "";
        resting = setTimeout(describe, REST);
    };
    store.follow((state) => {
        if (state.span !== span) {
            span = state.span;
            quiet = true;
            tooltip.hide();
            described = "";
        }
        // Another row may have come under the pointer.
        if (shownOf(state).rows !== rows && state.pointer === null) setTimeout(moved, REST);
        ({ rows } = shownOf(state));
        if (state.view === view) return describeNow();
        view = state.view;
        if (state.pointer) moved();
    });
    // Either the tracks scroll, or in a low window the page does; each has its own events.
    for (const scrolled of [root, document]) scrolled.addEventListener("scroll", moved, { capture: true, passive: true, signal });
    // A key or a click may fold a group, or change the scale: other rows come to this place, or the text is no longer true.
    const acted = () => {
        if (header) tooltip.hide();
        header = "";
    };
    for (const type of ["click", "keydown"]) root.addEventListener(type, acted, { capture: true, signal });
    /** @param {PointerEvent | null} event */
    const describeRow = (event) => {
        const row = event && timeline.pointing.headerAt(event.clientX, event.clientY);
        const named = row ? [row.kind, row.groups[0]?.key, row.at, row.folded, row.track?.id].join() : "";
        if (named === header) return;
        header = named;
        if (row && event)
            tooltip.tell(describeHeader(row, store.value.scaling, store.value.range !== null), { x: event.clientX, y: event.clientY });
        else tooltip.hide();
    };
    return (event) => {
        quiet = false;
        describeRow(event);
        const { pointer } = store.value;
        const next = event && timeline.pointing.holds(event.clientX, event.clientY) ? { x: event.clientX, y: event.clientY } : null;
        if (next?.x !== pointer?.x || next?.y !== pointer?.y) store.set({ pointer: next });
    };
}
