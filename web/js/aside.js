// Opens the panel of the selection while something is selected. Beside the timeline, it makes that narrower. If a part of the log is in view,
// what was clicked stays where it is; if the panel would cover that, or if the whole log is in view, the same times stay in view, closer
// together.

import { follow } from "./store.js";
import { shownOf } from "./state.js";
import { part } from "./stage.js";
import { resized, whole, within } from "./viewport.js";
import { extentOnPage, spanOnPage } from "./page-time.js";

/** @param {import("./context.js").Context} context */
export function followSelection({ stage, store, timeline }) {
    const panel = part(stage, "details");
    /** Whether the scale stayed when the panel was opened: then it stays when it is closed, too. */
    let keepsScale = false;
    /** The log that was shown last. */
    let last = 0;
    // The panel's height depends on its contents, which come a moment later.
    new ResizeObserver(() => {
        const { span } = store.value;
        if (timeline.makeWayFor(panel) && span) timeline.reveal(span);
    }).observe(panel);
    follow(
        store,
        ({ span }) => [span],
        ({ span }) => void (span && !panel.hidden && timeline.makeWayFor(panel)),
    );
    follow(
        store,
        ({ span, shown }) => [!span, shown],
        ({ span, ...state }) => {
            const isOther = state.shown !== last;
            last = state.shown;
            // Ask for widths only if one changes: asking makes the browser lay out the page.
            if (panel.hidden === !span) return;
            const { width: before } = timeline;
            panel.hidden = !span;
            const { view, follows } = state;
            const extent = extentOnPage(shownOf(state));
            if (!view || !extent) return;
            // The view of a log to which one returns was that of the narrow timeline already.
            if (isOther) keepsScale = false;
            else if (span) {
                const { from, to } = spanOnPage(state, span);
                const clicked = (Math.max(from, view.from) + Math.min(to, view.to)) / 2;
                const narrow = resized(view, timeline.width / before);
                keepsScale = !follows && clicked < narrow.to;
            }
            const next = keepsScale ? resized(view, timeline.width / before) : view;
            store.set({ view: within(next, whole(extent), timeline.width) });
        },
    );
}
