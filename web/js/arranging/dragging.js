// Rows are moved by dragging their headers: up or down, since a drag to the side selects a range of time; from the handle in any direction.
// Groups are dragged by their headings.

import { part } from "../stage.js";
import { extentOfGroup } from "../rows.js";
import { moveBeside } from "./acts.js";
import { headerOfRow, rowOfElement } from "./target.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("./acts.js").Named} Named */
/** @typedef {{ named: Named, group: string, pinned: boolean, x: number, y: number, id: number, begun: boolean }} Drag */
/** @typedef {{ other: Named, after: boolean, header: HTMLElement | null }} Drop */

/** A press that moves less than this is a click, in CSS pixels. */
const STEADY = 4;

/** Within this distance of the timeline's ends, rows scroll while one is dragged, by so many CSS pixels a frame. */
const [EDGE, SPEED] = [28, 7];

/**
 * @param {Context} context
 * @param {HTMLElement} headers
 */
export function followDrags(context, headers) {
    const { stage, timeline, say } = context;
    const box = part(stage, "timeline");
    /** @type {Drag | null} */
    let drag = null;
    /** @type {Drop | null} */
    let drop = null;
    let height = 0;

    headers.addEventListener("pointerdown", (event) => {
        const { target, pointerType, button, clientX: x, clientY: y, pointerId: id } = event;
        const found = target instanceof Element && pointerType !== "touch" && button === 0 ? rowOfElement(target) : null;
        if (!found || !(target instanceof Element) || target.closest(".row-tools button, .arrange, .bands")) return;
        // Picking rows is not selecting time.
        if (event.ctrlKey || event.metaKey) return event.stopPropagation();
        const own = timeline.pointing.headerAt(x, y);
        if (!own) return;
        drag = { named: found, group: own.groups[0]?.key ?? "", pinned: own.pinned, x, y, id, begun: false };
        if (!target.closest(".grip")) return;
        event.stopPropagation();
        begin(drag);
    });

    /** @param {Drag} now */
    const begin = (now) => {
        now.begun = true;
        box.setPointerCapture(now.id);
        headerOfRow(context, now.named.row)?.classList.add("dragged");
        box.classList.add("dragging");
        height = now.y;
        scroll();
    };

    /** Scrolls while the pointer is at an end of the timeline. */
    const scroll = () => {
        if (!drag?.begun) return;
        const { top, bottom } = box.getBoundingClientRect();
        const by = height < top + timeline.layout.head + EDGE ? -SPEED : height > bottom - EDGE ? SPEED : 0;
        if (by !== 0 && !drag.pinned) timeline.scrollBy(by);
        requestAnimationFrame(scroll);
    };

    const mark = (/** @type {Drop | null} */ next) => {
        for (const header of headers.querySelectorAll(".drop-before, .drop-after")) header.classList.remove("drop-before", "drop-after");
        drop = next;
        next?.header?.classList.add(next.after ? "drop-after" : "drop-before");
    };

    const end = () => {
        if (drag?.begun) {
            headers.querySelector(".dragged")?.classList.remove("dragged");
            box.classList.remove("dragging");
            if (box.hasPointerCapture(drag.id)) box.releasePointerCapture(drag.id);
        }
        mark(null);
        drag = null;
    };

    /** @param {PointerEvent} event */
    const moved = (event) => {
        if (!drag || event.pointerId !== drag.id) return;
        if (event.buttons === 0) return end();
        const [x, y] = [Math.abs(event.clientX - drag.x), Math.abs(event.clientY - drag.y)];
        if (!drag.begun && x >= STEADY && x >= y) return end();
        if (!drag.begun && y >= STEADY) begin(drag);
        if (!drag.begun) return;
        // It selects no time.
        event.stopImmediatePropagation();
        height = event.clientY;
        mark(dropAt(context, drag, event.clientY));
    };

    /** @param {PointerEvent} event */
    const released = (event) => {
        if (!drag || event.pointerId !== drag.id) return;
        const { begun, named } = drag;
        const place = drop;
        end();
        if (!begun) return;
        event.stopImmediatePropagation();
        // The button under the pointer was not clicked.
        box.addEventListener("click", stop, { capture: true, once: true });
        setTimeout(() => box.removeEventListener("click", stop, { capture: true }));
        if (place && place.other.row !== named.row) moveBeside(context, named, place.other, place.after);
        else say("Nothing is moved");
    };

    box.addEventListener("pointermove", moved, { capture: true });
    box.addEventListener("pointerup", released, { capture: true });
    box.addEventListener("pointercancel", end, { capture: true });
    /** @param {Event} event */
    const pressed = (event) => {
        if (!(event instanceof KeyboardEvent) || event.key !== "Escape" || !drag?.begun) return;
        event.stopPropagation();
        end();
    };
    stage.reach.addEventListener("keydown", pressed, { capture: true, signal: stage.signal });
}

/** @param {Event} event */
function stop(event) {
    event.stopPropagation();
}

/**
 * Where a dragged row would be put; null if not there.
 * @param {Context} context
 * @param {Drag} drag
 * @param {number} clientY
 * @returns {Drop | null}
 */
function dropAt(context, { named, group, pinned }, clientY) {
    const { stage, timeline } = context;
    const { left, top } = part(stage, "timeline").getBoundingClientRect();
    const row = timeline.pointing.headerAt(left + 1, clientY);
    const key = row?.groups[0]?.key;
    if (!row || key === undefined) return null;
    const { top: scrolled } = timeline.place;
    const y = clientY - top + scrolled;
    if (typeof named.row === "string") {
        const extent = row.kind === "absent" ? null : extentOfGroup(timeline.layout, key);
        if (!extent || row.pinned) return null;
        const header = headerOfRow(context, key);
        return { other: { row: key, name: row.groups[0].name }, after: y > (extent.top + extent.bottom) / 2, header };
    }
    if (row.kind !== "tracks" || !row.track || row.pinned !== pinned || (!pinned && key !== group)) return null;
    const other = { row: row.track.id, name: row.track.name };
    return { other, after: y > row.y + row.height / 2, header: headerOfRow(context, other.row) };
}
