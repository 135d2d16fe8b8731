// The chosen finding in the address of a page that the viewer owns, so that a link or a reload shows it again: `finding=gc-share`, with the
// time in view if the address has it.

import { chooseFinding, leaveFinding, mayFindMore } from "./navigation/evidence.js";
import { setInAddress, valueIn } from "./fragment.js";
import { valueForAny } from "./link/link.js";
import { shownOf } from "./state.js";
import { follow } from "./store.js";
import { extentOnPage } from "./page-time.js";

const KEY = "finding";

/** @param {import("./context.js").Context} context */
export function followFindingInAddress(context) {
    const { stage, store } = context;
    if (!stage.own) return;
    /** What the address asks for, until it is known whether the log has it. */
    let wanted = valueForAny(location.hash, KEY);
    const find = () => {
        const log = shownOf(store.value);
        if (wanted === null || !log.finished) return;
        const isFound = chooseFinding(context, wanted, { view: viewIn(location.hash, log) });
        if (isFound || !mayFindMore(log.log)) wanted = null;
        if (wanted === null) setInAddress(KEY, store.value.finding?.id ?? null);
    };
    const on = (/** @type {import("./state.js").State} */ state) => {
        const { finished, log } = shownOf(state);
        return [state.shown, finished, log?.findings, log?.account, log?.following];
    };
    follow(store, on, find);
    follow(
        store,
        ({ finding }) => [finding?.id],
        ({ finding }) => {
            // Another one is chosen, or that one.
            if (finding) wanted = null;
            if (wanted === null) setInAddress(KEY, finding?.id ?? null);
        },
    );
    const changed = () => {
        // The user has gone back or forth: history.js has chosen what was chosen then.
        if (history.state) return setInAddress(KEY, store.value.finding?.id ?? null);
        const asked = valueIn(location.hash, KEY);
        if (asked === (store.value.finding?.id ?? null)) return;
        wanted = asked;
        if (asked === null) leaveFinding(context);
        find();
    };
    addEventListener("hashchange", changed, { signal: stage.signal });
}

/**
 * The time in view that the address names; none if it names none.
 * @param {string} hash
 * @param {import("./state.js").LogState} log
 */
function viewIn(hash, log) {
    const extent = extentOnPage(log);
    const [t0, t1] = ["t0", "t1"].map((key) => Number(valueIn(hash, key) || NaN));
    return extent && t1 > t0 ? { from: extent[0] + t0, to: extent[0] + t1 } : undefined;
}
