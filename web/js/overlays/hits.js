// The hits of the search, as ticks on the timeline's axis: those at hand exactly, all others where their stretch of time is.

import { addOverlay } from "./overlay.js";
import { AXIS } from "../rows.js";
import { placesOf } from "../search/places.js";

/** The size of a tick, and of the one of the chosen hit, in CSS pixels. */
const TICK = { width: 2, height: 5 };
const CHOSEN = { width: 3, height: 9 };

addOverlay({
    key: "hits",
    draw({ context, state, log, ownScale: scale }) {
        const { search } = log;
        if (!search?.report?.found) return;
        const isInView = (/** @type {number} */ x) => x >= scale.left && x <= scale.right;
        const isAll = search.inOrder.length >= search.report.found.total;
        const exact = search.inOrder.map(({ time }) => Math.round(scale.x(time)));
        const places = isAll ? exact : [...exact, ...placesOf(log, scale.x)];
        context.fillStyle = state.theme.css("accent");
        for (const x of new Set(places.filter(isInView))) context.fillRect(x - TICK.width / 2, AXIS - TICK.height, TICK.width, TICK.height);
        const chosen = search.chosen ? scale.x(search.chosen.time) : NaN;
        if (isInView(chosen)) context.fillRect(chosen - CHOSEN.width / 2, AXIS - CHOSEN.height, CHOSEN.width, CHOSEN.height);
    },
});
