// The label whose spans are looked at, in the address of a page that the viewer owns: `label=query`. A link with it opens the tab that
// shows them.

import { setInAddress, valueIn } from "./fragment.js";
import { valueForAny } from "./link/link.js";
import { changeShown, shownOf } from "./state.js";
import { drawerOf } from "./stage.js";
import { follow } from "./store.js";

const KEY = "label";

/** The tab that shows each span with a label. */
const TAB = "requests";

/** @param {Pick<import("./context.js").Context, "stage" | "store">} context */
export function followLabelInAddress({ stage, store }) {
    if (!stage.own) return;
    /** What the address asks for, until a log is there. */
    let wanted = valueForAny(location.hash, KEY);
    const show = (/** @type {string} */ label) => {
        changeShown(store, { eachOf: label });
        // A link to a finding shows that.
        if (label && valueIn(location.hash, "finding") === null) drawerOf(stage).choose(TAB);
    };
    const on = (/** @type {import("./state.js").State} */ state) => [state.shown, shownOf(state).finished, shownOf(state).eachOf];
    follow(store, on, (state) => {
        const { finished, eachOf } = shownOf(state);
        if (!finished) return;
        const label = wanted;
        wanted = null;
        if (label && label !== eachOf) show(label);
        else setInAddress(KEY, eachOf || null);
    });
    const changed = () => {
        const label = valueIn(location.hash, KEY) ?? "";
        if (label !== shownOf(store.value).eachOf) show(label);
    };
    addEventListener("hashchange", changed, { signal: stage.signal });
}
