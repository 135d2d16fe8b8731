// Sends the user's choices of bands, threads and spans to the worker: for each log, and whenever they change.

import { follow } from "./store.js";
import { shownOf } from "./state.js";
import { wordsText } from "./spans.js";
import { asksWhatTheyDid } from "./threads.js";

/** @typedef {import("./state.js").State} State */

/** @param {import("./context.js").Context} context */
export function followChoices({ store, log: shown, timeline }) {
    follow(
        store,
        (state) => [shownOf(state).bands.order, shownOf(state).bands.count],
        () => shownOf(store.value).log?.status.extent && timeline.outdated(),
    );
    const asked = (/** @type {State} */ state) => {
        const { threads, totals } = shownOf(state);
        return [threads, asksWhatTheyDid(threads) && state.range && totals];
    };
    follow(store, asked, ({ range, ...state }) => {
        const { log, threads, totals } = shownOf(state);
        if (log) shown.send("arrange", { ...threads, inRange: range !== null && totals !== null });
    });
    follow(
        store,
        (state) => [shownOf(state).log && state.shown, shownOf(state).lowUse],
        (state) => shownOf(state).log && shown.send("lowUse", shownOf(state).lowUse),
    );
    const named = (/** @type {State} */ { spanWords, ...state }) => {
        const { log, number, spans } = shownOf(state);
        return [log && number, spans, spanWords];
    };
    follow(store, named, ({ spanWords, ...state }) => {
        const { log, spans } = shownOf(state);
        if (log) shown.send("arrangeSpans", { ...spans, words: wordsText(spanWords) });
    });
}
