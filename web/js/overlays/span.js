// A frame around the selected span, if its track is in view.

import { addOverlay } from "./overlay.js";
import { coveredAbove } from "../timeline/scene.js";
import { drawnIn } from "../rows.js";

addOverlay({
    key: "span",
    draw(scene) {
        const { context, state, ownScale: scale, rows, top, height } = scene;
        const { span, theme } = state;
        const row = span && rows.find(({ log, track }) => log === span.log && track?.id === span.track);
        if (!span || !row) return;
        const { y, height: high } = drawnIn(row);
        const [x1, x2] = [Math.max(scale.x(span.start), scale.left - 2), Math.min(scale.x(span.end), scale.right + 2)];
        const covered = coveredAbove(row, scene);
        context.strokeStyle = theme.css("accent");
        context.lineWidth = 2;
        context.save();
        context.beginPath();
        context.rect(scale.left, covered, scale.width, height - covered);
        context.clip();
        context.strokeRect(x1 - 1, y - top - 1, Math.max(x2 - x1, 1) + 2, high + 2);
        context.restore();
    },
});
