// Opens the panel of the selection while something is selected. Beside the timeline, it makes that narrower: the whole log stays in view as a
// whole; of a part of it, what was clicked stays where it is.

import { follow } from "./store.js";
import { shownOf } from "./state.js";
import { part } from "./stage.js";
import { resized, whole, within } from "./viewport.js";
import { extentOnPage, spanOnPage } from "./page-time.js";

/** @param {import("./context.js").Context} context */
export function followSelection({ stage, store, timeline }) {
    const panel = part(stage, "details");
    // The panel's height depends on its contents, which come a moment later.
    new ResizeObserver(() => {
        const { span } = store.value;
        if (timeline.makeWayFor(panel) && span) timeline.reveal(span);
    }).observe(panel);
    follow(
        store,
        ({ span }) => [!span],
        ({ span, ...state }) => {
            // Ask for widths only if one changes: asking makes the browser lay out the page.
            if (panel.hidden === !span) return;
            const { width: before } = timeline;
            panel.hidden = !span;
            const { view, follows } = state;
            const extent = extentOnPage(shownOf(state));
            if (!view || !extent) return;
            const { from, to } = span ? spanOnPage(state, span) : view;
            // The middle of what can be seen of the span.
            const clicked = span ? (Math.max(from, view.from) + Math.min(to, view.to)) / 2 : undefined;
            const next = follows ? view : resized(view, timeline.width / before, clicked);
            store.set({ view: within(next, whole(extent), timeline.width) });
        },
    );
}
