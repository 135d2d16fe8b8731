// Translates mouse, touch and wheel on the timeline into actions.

import { followPointer } from "./hover.js";
import { gestureActions } from "./navigation/gesturing.js";
import { part } from "./stage.js";

/**
 * @typedef {object} Actions
 * @property {(x: number, factor: number) => void} zoom at a place, in CSS pixels from the timeline's left edge
 * @property {(pixels: number) => void} pan
 * @property {(x1: number, x2: number) => void} select a range between two places
 * @property {() => void} selected selecting the range has ended
 * @property {(x: number) => number | null} edge the place of the selection's other edge, if one is at x
 * @property {(event: PointerEvent) => void} click
 * @property {(event: PointerEvent | null) => void} hover
 */

/** A press that moves less than this is a click, in CSS pixels. */
const STEADY = 4;

/** A finger that rests longer than this, in ms, begins a range. */
const LONG = 450;

/** How strongly the wheel zooms. */
const WHEEL = 0.0022;

/** @param {import("./context.js").Context} context */
export function followGestures(context) {
    follow(part(context.stage, "timeline"), { ...gestureActions(context), hover: followPointer(context) });
}

/**
 * @param {HTMLElement} element
 * @param {Actions} actions
 */
function follow(element, actions) {
    /** @type {Map<number, PointerEvent>} */
    const touches = new Map();
    /** @type {{ kind: "pan" | "select" | "press", from: number, last: number } | null} */
    let drag = null;

    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let pressing;

    /** @param {{ clientX: number }} event */
    const xOf = (event) => event.clientX - element.getBoundingClientRect().left;

    element.addEventListener(
        "wheel",
        (event) => {
            const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
            if (event.ctrlKey || event.metaKey) {
                event.preventDefault();
                actions.zoom(xOf(event), Math.exp(event.deltaY * lines * WHEEL * (event.deltaMode ? 1 : 2)));
            } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
                event.preventDefault();
                actions.pan((event.deltaX || event.deltaY) * lines);
            }
        },
        { passive: false },
    );

    element.addEventListener("pointerdown", (event) => {
        // A button was pressed, not the timeline below it.
        if (event.button > 1 || (event.target instanceof Element && event.target.closest("button, select, [role=button]"))) return;
        element.setPointerCapture(event.pointerId);
        const x = xOf(event);
        if (event.pointerType === "touch") {
            touches.set(event.pointerId, event);
            drag = { kind: touches.size > 1 ? "pan" : "press", from: x, last: x };
            clearTimeout(pressing);
            // A finger that rests before it moves selects a range.
            pressing = setTimeout(() => {
                if (drag?.kind !== "press" || touches.size !== 1) return;
                drag.kind = "select";
                actions.select(drag.from - 1, drag.from + 1);
            }, LONG);
            return;
        }
        if (event.button === 1) event.preventDefault();
        const other = actions.edge(x);
        if (event.shiftKey || event.button === 1) drag = { kind: "pan", from: x, last: x };
        else if (other !== null) drag = { kind: "select", from: other, last: x };
        else drag = { kind: "press", from: x, last: x };
    });

    element.addEventListener("pointermove", (event) => {
        const x = xOf(event);
        // The button may have been released outside of the window.
        if (event.pointerType === "mouse" && event.buttons === 0) drag = null;
        const touch = touches.get(event.pointerId);
        if (touch && touches.size === 2) pinch(touch, event);
        if (touch) touches.set(event.pointerId, event);
        if (!drag) {
            element.style.cursor = actions.edge(x) === null ? "" : "ew-resize";
            actions.hover(event);
            return;
        }
        actions.hover(null);
        if (drag.kind === "press" && Math.abs(x - drag.from) >= STEADY) drag.kind = touch ? "pan" : "select";
        if (drag.kind === "select") actions.select(drag.from, x);
        if (drag.kind === "pan" && touches.size < 2) actions.pan(drag.last - x);
        drag.last = x;
    });

    /**
     * Two fingers: each time under a finger stays under it.
     * @param {PointerEvent} before
     * @param {PointerEvent} now
     */
    function pinch(before, now) {
        const other = [...touches.values()].find(({ pointerId }) => pointerId !== now.pointerId);
        if (!other) return;
        const [was, is] = [Math.abs(before.clientX - other.clientX), Math.abs(now.clientX - other.clientX)];
        actions.pan((before.clientX - now.clientX) / 2);
        if (was > 8 && is > 8) actions.zoom((xOf(now) + xOf(other)) / 2, was / is);
    }

    element.addEventListener("pointerup", (event) => {
        if (drag?.kind === "press" && touches.size < 2) actions.click(event);
        if (drag?.kind === "select") actions.selected();
        end(event);
    });
    element.addEventListener("pointercancel", end);
    // A finger that moves up or down makes the browser scroll the tracks; but not while it selects.
    element.addEventListener("touchmove", (event) => drag?.kind === "select" && event.preventDefault(), { passive: false });
    element.addEventListener("contextmenu", (event) => touches.size > 0 && event.preventDefault());
    element.addEventListener("pointerleave", () => actions.hover(null));

    /** @param {PointerEvent} event */
    function end(event) {
        touches.delete(event.pointerId);
        clearTimeout(pressing);
        if (touches.size === 0) drag = null;
    }
}
