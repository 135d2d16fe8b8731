// A frame around the selected span, and a dashed one around the span that is measured from, if their tracks are in view.

import { addOverlay } from "./overlay.js";
import { coveredAbove } from "../timeline/scene.js";
import { drawnIn } from "../rows.js";

addOverlay({
    key: "span",
    draw(scene) {
        const { span, measureFrom } = scene.state;
        if (measureFrom && measureFrom !== span) drawFrame(scene, measureFrom, [4, 3]);
        if (span) drawFrame(scene, span, []);
    },
});

/**
 * @param {import("../timeline/scene.js").Scene} scene
 * @param {import("../state.js").OfLog<import("../protocol.js").Span>} span
 * @param {number[]} dashes
 */
function drawFrame(scene, span, dashes) {
    const { context, state, ownScale: scale, rows, top, height } = scene;
    const row = rows.find(({ log, track }) => log === span.log && track?.id === span.track);
    if (!row) return;
    const { y, height: high } = drawnIn(row);
    const [x1, x2] = [Math.max(scale.x(span.start), scale.left - 2), Math.min(scale.x(span.end), scale.right + 2)];
    const covered = coveredAbove(row, scene);
    context.save();
    context.strokeStyle = state.theme.css("accent");
    context.lineWidth = 2;
    context.setLineDash(dashes);
    context.beginPath();
    context.rect(scale.left, covered, scale.width, height - covered);
    context.clip();
    context.strokeRect(x1 - 1, y - top - 1, Math.max(x2 - x1, 1) + 2, high + 2);
    context.restore();
}
