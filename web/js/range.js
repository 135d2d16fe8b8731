// What the tracks did in the selected range: asked for once the selection rests for a moment.

/** How long a selection rests before it is asked about, in ms: a drag changes it in every frame. */
const REST = 40;

/** @param {import("./context.js").Context} context */
export function followRange({ store, client }) {
    /** @type {import("./viewport.js").View | null} */
    let asked = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    store.follow(({ range, totals, finished }) => {
        if (range === asked || !finished) return;
        asked = range;
        clearTimeout(timer);
        if (range) timer = setTimeout(() => client.range(range), REST);
        else if (totals) store.set({ totals: null });
    });
}
