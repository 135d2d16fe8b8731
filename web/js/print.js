// On paper: light, as wide as that, all rows and whole tables. The browser takes its picture without waiting for the worker. So by
// Ctrl+P what is to be printed is asked for first, and the browser then; by the browser's own menu, paper has what is there.

import { fillPaper } from "./timeline/paper.js";
import { isPrint } from "./keys.js";
import { mark, part } from "./stage.js";
import { readTheme } from "./theme.js";
import { unprintedText } from "./words.js";

/** @typedef {import("./paint/colour.js").Rgb} Rgb */

/** How long printing waits for pictures of tracks that have not been in view, in ms. */
const PATIENCE = 3000;

/** @typedef {import("./context.js").Context} Context */

/**
 * Where it is printed.
 * @typedef {object} Paper
 * @property {HTMLElement} paper where the timeline is on paper
 * @property {HTMLElement} left says what is left out of it
 * @property {import("./panels/drawer.js").LogDrawer} drawer
 */

/** @typedef {Pick<Context, "stage" | "store" | "timeline" | "overview" | "picture"> & Paper} Printed what is printed, and where */

/** @param {Context} context */
export function followPrint(context) {
    const { stage, timeline } = context;
    /** @type {Paper} */
    const places = { paper: part(stage, "paper"), left: part(stage, "unprinted"), drawer: part(stage, "drawer") };
    const { own, reach, signal } = stage;
    let undo = () => {};
    /** Whether the key was pressed for what is printed, so that it has been waited for. */
    let waited = false;
    const before = () => {
        undo();
        // Beside other content, Ctrl+P prints all of the page: that is the browser's.
        undo = layOnPaper({ ...context, ...places }, own && !waited);
    };
    const after = () => {
        undo();
        undo = () => {};
        timeline.release();
    };
    addEventListener("beforeprint", before, { signal });
    addEventListener("afterprint", after, { signal });
    /** @param {Event} event */
    const pressed = async (event) => {
        if (!(event instanceof KeyboardEvent) || !isPrint(event)) return;
        event.preventDefault();
        if (waited) return;
        waited = true;
        // What cannot be had is not printed; the rest is.
        const gathered = timeline.gather().catch(() => {});
        await Promise.race([gathered, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
        if (!signal.aborted) print();
        waited = false;
    };
    if (own) reach.addEventListener("keydown", pressed, { signal });
}

/**
 * Makes the viewer what it is on paper.
 * @param {Printed} printed
 * @param {boolean} wouldWait whether Ctrl+P would wait for pictures that are not there
 * @returns {() => void} makes it as it was
 */
function layOnPaper({ stage, store, timeline, overview, picture, paper, left, drawer }, wouldWait) {
    const { host } = stage;
    const theme = host.dataset.theme ?? null;
    const { height } = host.style;
    const roles = [...new Set(timeline.tracks.flatMap(({ states }) => states.map(({ role }) => role)))];
    const colours = roles.map(store.value.theme.rgb);
    const resume = timeline.pause();
    drawer.print(true);
    mark(stage, "theme", "light");
    mark(stage, "printing", "");
    // Beside other content its height is what the page says; on paper it has no limit.
    host.style.height = "auto";
    store.set({ theme: readTheme(host) });
    const light = roles.map(store.value.theme.rgb);
    const restoreColours = theme === "light" ? () => {} : picture.exchange((image) => recoloured(image, colours, light));
    fill(paper, left, { store, timeline, picture }, wouldWait);
    overview.paint();
    return () => {
        mark(stage, "theme", theme);
        mark(stage, "printing", null);
        host.style.height = height;
        restoreColours();
        paper.replaceChildren();
        left.textContent = "";
        store.set({ theme: readTheme(host) });
        resume();
        overview.paint();
        // Last: on paper nothing scrolls, and what was scrolled is to be so again.
        drawer.print(false);
    };
}

/**
 * @param {HTMLElement} paper
 * @param {HTMLElement} left
 * @param {Pick<Printed, "store" | "timeline" | "picture">} what
 * @param {boolean} wouldWait
 */
function fill(paper, left, { store, timeline, picture }, wouldWait) {
    const { view } = store.value;
    if (!view) return;
    const { sheet } = timeline;
    const rows = timeline.rowsOf(sheet);
    fillPaper(paper, rows, store.value, view, picture);
    const undrawn = rows.filter(({ kind, track }) => kind === "tracks" && !(track && picture.has(track.id)));
    left.textContent = unprintedText(sheet, undrawn.length, wouldWait);
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
