// The panel of what is selected stands beside the timeline, which is narrower then; no time moves for that.

import { follow } from "./store.js";
import { shownOf } from "./state.js";
import { part } from "./stage.js";
import { holding, resized, whole, within } from "./viewport.js";
import { extentOnPage, spanOnPage } from "./page-time.js";

/** How far from the panel what is selected stands at least, as a share of the view. */
const ASIDE = 0.1;

/** @param {import("./context.js").Context} context */
export function followSelection({ stage, store, timeline }) {
    const panel = part(stage, "details");
    // The panel is as high as what it tells, which comes a moment after it.
    new ResizeObserver(() => {
        const { span } = store.value;
        if (timeline.makeWayFor(panel) && span) timeline.reveal(span);
    }).observe(panel);
    /** The log that the panel was last about. */
    let last = 0;
    follow(
        store,
        ({ span, shown }) => [!span, shown],
        ({ span, view, follows, ...state }) => {
            const { finished, number } = shownOf(state);
            const another = number !== last;
            last = number;
            // Widths are asked for only where there is one that changes: that has the page laid out.
            if (panel.hidden === !span) return;
            const was = timeline.width;
            panel.hidden = !span;
            const is = timeline.width;
            const extent = extentOnPage(shownOf(state));
            // Another log's view comes with its selection; and one that is being read stays in view as a whole.
            if (another || was === is || !view || !extent || (follows && !finished)) return;
            const next = within(resized(view, was, is), whole(extent), is);
            // Nor does the panel stand on what was selected.
            const margin = (next.to - next.from) * ASIDE;
            const start = span ? spanOnPage(state, span).from : -Infinity;
            store.set({ view: start > next.to - margin ? within(holding(next, start + margin), whole(extent), is) : next });
        },
    );
}
