// What mouse, touch and wheel do on the timeline.

import { sayRange, setRange } from "./ranges.js";

/** An edge of the range can be dragged from at most this distance, in CSS pixels. */
const GRASP = 4;

/**
 * @param {import("../context.js").Context} context
 * @returns {Omit<import("../gestures.js").Actions, "hover">}
 */
export function gestureActions(context) {
    const { store, timeline, moving, selecting } = context;
    return {
        zoom: (x, factor) => moving.zoomAt(x, factor),
        pan: (pixels) => moving.panBy(pixels / timeline.width),
        select: (x1, x2) => {
            const { scale } = timeline.pointing;
            if (!scale) return;
            const [from, to] = [x1, x2].map((x) => scale.time(Math.max(x, scale.left))).sort((a, b) => a - b);
            setRange(context, { from, to });
        },
        selected: () => sayRange(context),
        edge: (x) => {
            const { range } = store.value;
            const { scale } = timeline.pointing;
            if (!range || !scale) return null;
            const [from, to] = [scale.x(range.from), scale.x(range.to)];
            if (Math.abs(x - from) <= GRASP) return to;
            return Math.abs(x - to) <= GRASP ? from : null;
        },
        click: ({ clientX, clientY }) => selecting.click(timeline.pointing.pixelAt(clientX, clientY)),
    };
}
