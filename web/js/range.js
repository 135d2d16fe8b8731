// Asks for the facts about the selected range, once that rests for a moment.

import { changeShown, shownOf } from "./state.js";
import { viewInLog } from "./page-time.js";

/** How long the range must rest before asking, in ms: a drag changes it in every frame. */
const REST = 40;

/** @param {import("./context.js").Context} context */
export function followRange({ store, log }) {
    /** @type {import("./viewport.js").View | null} */
    let asked = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** @param {import("./viewport.js").View} range */
    const ask = async (range) => {
        const totals = await log.ask("range", viewInLog(shownOf(store.value), range));
        if (totals && store.value.range) changeShown(store, { totals });
    };
    store.follow(({ range, ...state }) => {
        const { totals, finished } = shownOf(state);
        if (range === asked || !finished) return;
        asked = range;
        clearTimeout(timer);
        if (range) timer = setTimeout(() => ask(range), REST);
        else if (totals) changeShown(store, { totals: null });
    });
}
