// Opens the panel of the selection while something is selected. Beside the timeline, it makes that narrower: the same times stay in view,
// closer together.

import { follow } from "./store.js";
import { shownOf } from "./state.js";
import { part } from "./stage.js";
import { whole, within } from "./viewport.js";
import { extentOnPage } from "./page-time.js";

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
            panel.hidden = !span;
            const { view } = state;
            const extent = extentOnPage(shownOf(state));
            if (view && extent) store.set({ view: within(view, whole(extent), timeline.width) });
        },
    );
}
