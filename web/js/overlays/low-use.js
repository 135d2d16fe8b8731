// Stretches in which few capabilities run, as a line below the row of all capabilities. The table of low use has the longest ones.

import { addOverlay } from "./overlay.js";
import { coveredAbove } from "../timeline/scene.js";
import { follow } from "../store.js";
import { shownOf } from "../state.js";
import { drawnIn } from "../rows.js";

const KEY = "low-use";

/** The table: see `facts/tables/low_use.rs`. */
const TABLE = "low_use";

/** Most stretches that the table has. */
const MOST = 64;

/** Height of the line, in CSS pixels. */
const LINE = 3;

/** @type {import("./overlay.js").Overlay<import("../viewport.js").View[]>} */
const lowUse = {
    key: KEY,
    start({ store, log, show }) {
        let last = 0;
        follow(
            store,
            (state) => [state.shown, has(shownOf(state).log), !shownOf(state).log?.following, shownOf(state).lowUse],
            (state) => {
                const { number, log: info, overlayData } = shownOf(state);
                const mine = ++last;
                if (!has(info)) {
                    // With another threshold, there may be none.
                    if (overlayData[KEY]) show(number, []);
                    return;
                }
                void stretches(log).then((found) => mine === last && show(number, found));
            },
        );
    },
    draw(scene, found = []) {
        const { context, state, log, ownScale: scale, rows, top, height } = scene;
        const row = rows.find((row) => row.log === log.number && row.track !== null && row.track?.id === log.log?.whole?.id);
        if (!row) return;
        const { y, height: high } = drawnIn(row);
        const covered = coveredAbove(row, scene);
        context.save();
        context.beginPath();
        context.rect(scale.left, covered, scale.width, height - covered);
        context.clip();
        context.fillStyle = state.theme.css("accent");
        for (const { from, to } of found) {
            const [x1, x2] = [Math.max(scale.x(from), scale.left), Math.min(scale.x(to), scale.right)];
            // What is shorter than a pixel is shown, too.
            if (x2 >= scale.left && x1 <= scale.right) context.fillRect(x1, y - top + high + 1, Math.max(x2 - x1, 1), LINE);
        }
        context.restore();
    },
};

addOverlay(lowUse);

/**
 * Whether a log has the table.
 * @param {import("../protocol.js").LogInfo | null} log
 */
function has(log) {
    return log?.facts.sections.some(({ tables }) => tables.some(({ key }) => key === TABLE)) ?? false;
}

/**
 * The stretches in the table.
 * @param {import("../shown-log.js").ShownLog} log
 * @returns {Promise<import("../viewport.js").View[]>}
 */
async function stretches(log) {
    const page = await log.ask("table", { table: TABLE, sort: "", down: false, filter: "", within: null, from: 0, count: MOST });
    return (
        page?.rows.flatMap(([, length], at) => {
            const from = page.times[at];
            return from === null || typeof length !== "number" ? [] : [{ from, to: from + length }];
        }) ?? []
    );
}
