// What is open over the timeline, in the order in which it was opened: Esc closes the last one first.

import { follow } from "./store.js";
import { shownOf } from "./state.js";

/**
 * @typedef {"finding" | "span" | "range" | "search" | "calls" | "rows"} Opened the evidence of a finding, the details of a span, a range of
 *     time, hits, marked samples of a profile, only some rows
 */

/** @type {WeakMap<object, Opened[]>} */
const orders = new WeakMap();

/**
 * What was opened last; none if nothing is open.
 * @param {import("./state.js").StateStore} store
 */
export function openedLast(store) {
    return orders.get(store)?.at(-1);
}

/** @param {Pick<import("./context.js").Context, "store">} context */
export function followOpened({ store }) {
    /** @type {Opened[]} */
    const order = [];
    orders.set(store, order);
    const watch = (/** @type {Opened} */ what, /** @type {(state: import("./state.js").State) => unknown} */ of) =>
        follow(
            store,
            (state) => [of(state)],
            (state) => {
                const at = order.indexOf(what);
                if (at >= 0) order.splice(at, 1);
                if (of(state)) order.push(what);
            },
        );
    // Another place of the same evidence opens nothing.
    watch("finding", ({ finding }) => finding?.id ?? null);
    watch("span", ({ span }) => span);
    watch("range", ({ range }) => range);
    watch("search", (state) => shownOf(state).search?.text);
    watch("calls", (state) => shownOf(state).calls?.key);
    watch("rows", (state) => shownOf(state).rows.only ?? shownOf(state).rows.text);
}
