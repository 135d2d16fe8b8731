// Translates mouse, touch and wheel on the timeline into actions.

import { followWheel } from "./wheel.js";
import { followPointer } from "./hover.js";
import { gestureActions } from "./navigation/gesturing.js";
import { part } from "./stage.js";

/**
 * @typedef {object} Actions
 * @property {(x: number, factor: number) => void} zoom at a place, in CSS pixels from the timeline's left edge
 * @property {(pixels: number) => void} pan
 * @property {(place: Place) => Anchor | null} anchor where a range begins that is dragged from a place
 * @property {(anchor: Anchor, place: Place) => void} select a range from there to a place
 * @property {() => void} selected selecting the range has ended
 * @property {(x: number) => Anchor | null} grasp the other edge of the selected range, if one is at x
 * @property {(event: PointerEvent) => void} click
 * @property {(event: PointerEvent | null) => void} hover
 */

/** @typedef {import("./navigation/gesturing.js").Place} Place */
/** @typedef {import("./navigation/gesturing.js").Anchor} Anchor */

/** A press that moves less than this is a click, in CSS pixels. */
const STEADY = 4;

/** A finger that rests longer than this, in ms, begins a range. */
const LONG = 450;

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
    /** @type {{ kind: "pan" | "select" | "press", from: number, last: number, began: Place, anchor: Anchor | null } | null} */
    let drag = null;

    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let pressing;

    /** @param {{ clientX: number }} event */
    const xOf = (event) => event.clientX - element.getBoundingClientRect().left;

    followWheel(element, actions, () => touches.size > 0);

    /**
     * @param {"pan" | "select" | "press"} kind
     * @param {PointerEvent} event
     * @param {Anchor | null} [anchor]
     */
    const begin = (kind, event, anchor = null) => {
        drag = { kind, from: xOf(event), last: xOf(event), began: event, anchor };
    };

    /**
     * A press becomes the selection of a range, from where it began.
     * @param {NonNullable<typeof drag>} pressed
     */
    const beginRange = (pressed) => {
        pressed.kind = "select";
        pressed.anchor = actions.anchor(pressed.began);
    };

    element.addEventListener("pointerdown", (event) => {
        // A button was pressed, not the timeline below it.
        if (event.button > 1 || (event.target instanceof Element && event.target.closest("button, select, [role=button]"))) return;
        element.setPointerCapture(event.pointerId);
        const x = xOf(event);
        if (event.pointerType === "touch") {
            touches.set(event.pointerId, event);
            begin(touches.size > 1 ? "pan" : "press", event);
            clearTimeout(pressing);
            // A finger that rests before it moves selects a range.
            pressing = setTimeout(() => {
                if (drag?.kind !== "press" || touches.size !== 1) return;
                beginRange(drag);
                const { clientX, clientY, pointerType } = event;
                // A short range, so that it is seen that it has begun.
                if (drag.anchor) actions.select(drag.anchor, { clientX: clientX + 2, clientY, pointerType, altKey: true });
            }, LONG);
            return;
        }
        if (event.button === 1) event.preventDefault();
        const other = actions.grasp(x);
        if (event.shiftKey || event.button === 1) begin("pan", event);
        else if (other) begin("select", event, other);
        else begin("press", event);
    });

    element.addEventListener("pointermove", (event) => {
        const x = xOf(event);
        // The button may have been released outside of the window.
        if (event.pointerType === "mouse" && event.buttons === 0) end(event);
        const touch = touches.get(event.pointerId);
        if (touch && touches.size === 2) pinch(touch, event);
        if (touch) touches.set(event.pointerId, event);
        if (!drag) {
            element.style.cursor = actions.grasp(x) ? "ew-resize" : "";
            actions.hover(event);
            return;
        }
        actions.hover(null);
        if (drag.kind === "press" && Math.abs(x - drag.from) >= STEADY) {
            if (touch) drag.kind = "pan";
            else beginRange(drag);
        }
        if (drag.kind === "select" && drag.anchor) actions.select(drag.anchor, event);
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
        if (touches.size > 0) return;
        if (drag?.kind === "select") actions.selected();
        drag = null;
    }
}
