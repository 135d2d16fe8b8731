// The query in the address of a page that the viewer owns, so that a link or a reload searches again: `find=type:GC longer:10ms`.

import { clearSearch, searchFor } from "./searching.js";
import { setInAddress, valueIn } from "../fragment.js";
import { valueForAny } from "../link/link.js";
import { follow } from "../store.js";
import { shownOf } from "../state.js";

const KEY = "find";

/** @param {import("../context.js").Context} context */
export function followSearchInAddress(context) {
    const { stage, store } = context;
    if (!stage.own) return;
    /** What the address asks for, until the log can be searched. */
    let wanted = valueForAny(location.hash, KEY);
    const find = () => {
        if (!wanted || !shownOf(store.value).finished) return;
        const text = wanted;
        wanted = null;
        void searchFor(context, text, { opens: false });
    };
    follow(store, (state) => [state.shown, shownOf(state).finished], find);
    follow(
        store,
        (state) => [shownOf(state).search?.text, shownOf(state).finished],
        (state) => {
            const { search, finished } = shownOf(state);
            if (search) wanted = null;
            if (finished && wanted === null) setInAddress(KEY, search?.text ?? null);
        },
    );
    const changed = () => {
        const asked = valueIn(location.hash, KEY);
        if (asked === (shownOf(store.value).search?.text ?? null)) return;
        wanted = asked;
        if (asked === null) clearSearch(context);
        find();
    };
    addEventListener("hashchange", changed, { signal: stage.signal });
}
