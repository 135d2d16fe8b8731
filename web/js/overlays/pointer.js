// The pointer: a line through all rows, and its time on the axis.

import { addOverlay } from "./overlay.js";
import { timeText } from "../timeline/scene.js";

addOverlay({
    key: "pointer",
    draw({ context, state, pointer, height }) {
        if (pointer === null) return;
        context.fillStyle = state.theme.css("accent");
        context.fillRect(Math.floor(pointer), 0, 1, height);
    },
    axisMarks(scene) {
        const { scale, pointer } = scene;
        if (pointer === null) return [];
        const x = Math.floor(pointer);
        return [{ text: timeText(scene, scale.time(x), scale.time(x + 1) - scale.time(x)), x, part: "middle" }];
    },
});
