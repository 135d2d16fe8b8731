// What mouse, touch and wheel do on the timeline, and what the help says of it.

import { addCommands } from "./command.js";
import { sayRange, setRange } from "../navigation/ranges.js";

/** How near the edge of a selection must be to be grasped, in CSS pixels. */
const GRASP = 4;

addCommands([
    { keys: "wheel", name: "scroll the tracks up and down" },
    { keys: "Ctrl+wheel pinch", name: "zoom in and out" },
    { keys: "Shift+wheel Shift+drag", name: "move left and right" },
    { keys: "click", name: "details of a span" },
    { keys: "drag long_press", name: "select a range; its edges can be dragged" },
    { keys: "Alt+← Alt+→", name: "back and forward in what was in view" },
]);

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
