// What mouse, touch and wheel do on the timeline.

import { sayRange, setRange, setSnapped } from "./ranges.js";
import { snapAt } from "./snapping.js";

/** An edge of the range can be dragged from at most this distance, in CSS pixels. */
const GRASP = 4;

/**
 * A press or a move on the timeline.
 * @typedef {Pick<PointerEvent, "clientX" | "clientY" | "pointerType" | "altKey">} Place
 */

/**
 * The end of a range that stays while the other one is dragged, and what it has snapped to.
 * @typedef {{ time: number, snap: import("./snapping.js").Snap | null }} Anchor
 */

/**
 * @param {import("../context.js").Context} context
 * @returns {Omit<import("../gestures.js").Actions, "hover">}
 */
export function gestureActions(context) {
    const { store, timeline, moving, selecting } = context;
    /**
     * The time at a place; if a span, a marker or a note begins or ends near it, the time of that, unless Alt is held.
     * @param {Place} place
     * @param {number} [but] a time that it does not snap to
     * @returns {Anchor | null}
     */
    const timeAt = (place, but) => {
        const { scale } = timeline.pointing;
        if (!scale) return null;
        const snap = place.altKey ? null : snapAt(context, place, but);
        const { x } = timeline.pointing.placeOf(place.clientX, place.clientY);
        return { time: snap?.time ?? scale.time(Math.max(x, scale.left)), snap };
    };
    return {
        zoom: (x, factor) => moving.zoomAt(x, factor),
        pan: (pixels) => moving.panBy(pixels / timeline.width),
        anchor: (place) => timeAt(place),
        select: (anchor, place) => {
            const dragged = timeAt(place, anchor.time);
            if (!dragged) return;
            const [from, to] = [anchor.time, dragged.time].sort((a, b) => a - b);
            setRange(context, { from, to });
            setSnapped(context, [anchor.snap, dragged.snap]);
            store.set({ dragged: timeline.pointing.placeOf(place.clientX, place.clientY).y });
        },
        selected: () => {
            store.set({ dragged: null });
            sayRange(context);
        },
        grasp: (x) => {
            const { range, snapped } = store.value;
            const { scale } = timeline.pointing;
            if (!range || !scale) return null;
            const [from, to] = [scale.x(range.from), scale.x(range.to)];
            const other = Math.abs(x - from) <= GRASP ? range.to : Math.abs(x - to) <= GRASP ? range.from : null;
            if (other === null) return null;
            return { time: other, snap: snapped?.to.find(({ time }) => time === other) ?? null };
        },
        click: ({ clientX, clientY, ctrlKey, metaKey }) => {
            const pixel = timeline.pointing.pixelAt(clientX, clientY);
            if (ctrlKey || metaKey) selecting.measureTo(pixel);
            else selecting.click(pixel);
        },
    };
}
