// On paper: light, as wide as that, all rows and whole tables. The canvas is painted before the browser takes its picture, which
// waits for nobody: not for the worker either.

import { mark } from "./place.js";
import { readTheme } from "./theme.js";

/** @typedef {import("./paint/strip.js").Rgb} Rgb */

/** No canvas is higher than this, in CSS pixels. */
const MOST = 4000;

/**
 * What is printed.
 * @typedef {object} Printed
 * @property {import("./place.js").Place} place
 * @property {import("./store.js").Store<import("./state.js").State>} store
 * @property {import("./timeline.js").Timeline} timeline
 * @property {import("./overview.js").OverviewStrip} overview
 * @property {import("./picture.js").Picture} picture
 * @property {HTMLElement} box the timeline's
 * @property {import("./panels/drawer.js").LogDrawer} drawer
 */

/** @param {Printed} printed */
export function followPrint({ place, store, timeline, overview, picture, box, drawer }) {
    const { host, signal } = place;
    const paint = () => {
        store.set({ theme: readTheme(host) });
        timeline.paint();
        overview.paint();
    };
    let undo = () => {};
    const before = () => {
        const theme = host.dataset.theme ?? null;
        const roles = [...new Set(timeline.tracks.flatMap(({ states }) => states.map(({ role }) => role)))];
        const colours = roles.map(store.value.theme.rgb);
        drawer.print(true);
        mark(place, "theme", "light");
        mark(place, "printing", "");
        // Beside other content its height is what the page says; on paper it has no limit.
        const { height } = host.style;
        host.style.height = "auto";
        box.style.height = `${Math.min(timeline.height, MOST)}px`;
        const strips = picture.window;
        const image = strips?.image;
        if (strips && image && theme !== "light") strips.image = recoloured(image, colours, roles.map(readTheme(host).rgb));
        paint();
        undo = () => {
            mark(place, "theme", theme);
            mark(place, "printing", null);
            host.style.height = height;
            box.style.height = "";
            if (strips && image && strips.image !== image) {
                strips.image?.close();
                strips.image = image;
            }
            paint();
            // Last: on paper nothing scrolls, and what was scrolled is to be so again.
            drawer.print(false);
        };
    };
    const after = () => {
        undo();
        undo = () => {};
    };
    addEventListener("beforeprint", before, { signal });
    addEventListener("afterprint", after, { signal });
}

/**
 * The same picture in other colours.
 * @param {ImageBitmap} image
 * @param {Rgb[]} before
 * @param {Rgb[]} after
 */
function recoloured(image, before, after) {
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.drawImage(image, 0, 0);
    const data = context.getImageData(0, 0, image.width, image.height);
    const colours = new Map(before.map((colour, at) => [key(colour), after[at]]));
    const { data: bytes } = data;
    for (let at = 0; at < bytes.length; at += 4) {
        const colour = bytes[at + 3] > 0 && colours.get(key([bytes[at], bytes[at + 1], bytes[at + 2]]));
        if (colour) bytes.set(colour, at);
    }
    context.putImageData(data, 0, 0);
    return canvas.transferToImageBitmap();
}

/** @param {Rgb} colour */
function key([r, g, b]) {
    return (r << 16) | (g << 8) | b;
}
