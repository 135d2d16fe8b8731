// The selected range, beside the tabs: how long it is, a button that zooms to it, and one that clears it.

import { html, nothing } from "lit";
import { firstEvent } from "./range-or-whole.js";
import { showRange } from "../navigation/ranges.js";
import { duration, interval } from "../format.js";
import { originOnPage, timesOnPage } from "../page-time.js";
import { shownOf } from "../state.js";

/**
 * @param {import("../context.js").Context} context
 * @param {import("./range-or-whole.js").ShownFacts} facts
 */
export function rangeChip(context, facts) {
    const { store, timeline } = context;
    const shown = shownOf(store.value);
    const { range } = store.value;
    if (!range || !shown.log) return nothing;
    const text = `${timesOnPage(store.value, shown).interval(range.from, range.to)} · ${duration(range.to - range.from)}`;
    const origin = originOnPage(shown);
    const first = firstEvent(facts);
    const clock =
        first === null
            ? ""
            : ` On the runtime's clock, which show prints: ${interval(range.from - origin + first, range.to - origin + first)}.`;
    const clear = () => {
        store.set({ range: null });
        // The button is gone, and it had the focus.
        timeline.focus();
    };
    return html`<div class="chip" role="group" aria-label="Selected range">
        <button class="range" title=${`Zoom to the range (Enter).${clock}`} @click=${() => showRange(context)}>${text}</button>
        <button aria-label="Clear the range" title="Clear the range (Esc)" @click=${clear}>×</button>
    </div>`;
}
