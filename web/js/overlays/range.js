// The selected range: the time outside of it is paler, and the axis shows its ends and its length.

import { addOverlay } from "./overlay.js";
import { timeText } from "../timeline/scene.js";
import { paintVeil } from "../paint/veil.js";
import { AXIS } from "../rows.js";
import { duration } from "../format.js";

addOverlay({
    key: "range",
    draw({ context, state, scale, height }) {
        const { range, theme } = state;
        if (!range) return;
        const [x1, x2] = [Math.round(scale.x(range.from)), Math.round(scale.x(range.to))];
        const around = { y: AXIS, height: height - AXIS };
        paintVeil(context, theme.rgb("background"), { ...around, from: scale.left, to: x1 });
        paintVeil(context, theme.rgb("background"), { ...around, from: x2, to: scale.right });
        context.fillStyle = theme.css("accent");
        context.fillRect(x1, 0, 1, height);
        context.fillRect(x2 - 1, 0, 1, height);
    },
    axisMarks(scene) {
        const { context, scale } = scene;
        const { range } = scene.state;
        if (!range) return [];
        const [x1, x2] = [scale.x(range.from), scale.x(range.to)];
        const [from, to] = [Math.max(x1, scale.left), Math.min(x2, scale.right)];
        const length = range.to - range.from;
        /** @type {import("../paint/axis.js").Mark[]} */
        const marks = [];
        if (x1 === from && x1 <= scale.right) marks.push({ text: timeText(scene, range.from, length / 100), x: x1, part: "end" });
        if (x2 === to && x2 >= scale.left) marks.push({ text: timeText(scene, range.to, length / 100), x: x2, part: "start" });
        // The arrow distinguishes it from the times around it.
        const text = `↔ ${duration(length)}`;
        // In the middle of its visible part.
        if (context.measureText(text).width + 12 < to - from) marks.push({ text, x: (from + to) / 2, part: "middle" });
        return marks;
    },
});
