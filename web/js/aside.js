// When the panel of the selection opens beside the timeline, the timeline becomes narrower. This changes the view so that every time stays
// at its place.

import { follow } from "./store.js";
import { shownOf } from "./state.js";
import { part } from "./stage.js";
import { holding, resized, whole, within } from "./viewport.js";
import { extentOnPage, spanOnPage } from "./page-time.js";

/** Least distance of the selection from the panel, as a share of the view. */
const ASIDE = 0.1;

/** @param {import("./context.js").Context} context */
export function followSelection({ stage, store, timeline }) {
    const panel = part(stage, "details");
    // The panel's height depends on its contents, which come a moment later.
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
            // Ask for widths only if one changes: asking makes the browser lay out the page.
            if (panel.hidden === !span) return;
            const was = timeline.width;
            panel.hidden = !span;
            const is = timeline.width;
            const extent = extentOnPage(shownOf(state));
            // Another log comes with its own view; and a log that is being read stays in view as a whole.
            if (another || was === is || !view || !extent || (follows && !finished)) return;
            const next = within(resized(view, was, is), whole(extent), is);
            // Move the selection out from under the panel.
            const margin = (next.to - next.from) * ASIDE;
            const start = span ? spanOnPage(state, span).from : -Infinity;
            store.set({ view: start > next.to - margin ? within(holding(next, start + margin), whole(extent), is) : next });
        },
    );
}
