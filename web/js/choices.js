// What the reader has chosen of bands, threads and spans, which the worker is told: of each log, and whenever it is another choice.

import { follow } from "./store.js";
import { asksWhatTheyDid } from "./threads.js";

/** @typedef {import("./state.js").State} State */

/** @param {import("./context.js").Context} context */
export function followChoices({ store, log: shown, timeline }) {
    follow(
        store,
        ({ bands: { order, count } }) => [order, count],
        () => store.value.log?.status.extent && timeline.outdated(),
    );
    const asked = (/** @type {State} */ { threads, range, totals }) => [threads, asksWhatTheyDid(threads) && range && totals];
    follow(store, asked, ({ log, threads, range, totals }) => {
        if (log) shown.send("arrange", { ...threads, inRange: range !== null && totals !== null });
    });
    const named = (/** @type {State} */ { log, opening, spans, spanWords }) => [log && opening, spans, spanWords];
    follow(store, named, ({ log, spans, spanWords }) => {
        if (log) shown.send("arrangeSpans", { ...spans, ...spanWords });
    });
}
