// On paper: light, as wide as that, all rows and whole tables. The canvas is painted before the browser takes its picture.

import { readTheme } from "./theme.js";

/** No canvas is higher than this, in CSS pixels. */
const MOST = 4000;

/**
 * @param {import("./store.js").Store<import("./state.js").State>} store
 * @param {import("./timeline.js").Timeline} timeline
 * @param {import("./overview.js").OverviewStrip} overview
 * @param {HTMLElement} box the timeline's
 */
export function followPrint(store, timeline, overview, box) {
    const { dataset } = document.documentElement;
    const paint = () => {
        timeline.paint();
        overview.paint();
    };
    let theme = dataset.theme;
    addEventListener("beforeprint", () => {
        theme = dataset.theme;
        dataset.theme = "light";
        dataset.printing = "";
        box.style.height = `${Math.min(timeline.height, MOST)}px`;
        store.set({ theme: readTheme() });
        paint();
    });
    addEventListener("afterprint", () => {
        dataset.theme = theme;
        delete dataset.printing;
        box.style.height = "";
        store.set({ theme: readTheme() });
        paint();
    });
}
