// Printing: light colours, the paper's width, all rows and whole tables. The browser does not wait for the worker when it prints. So on
// Ctrl+P the page first gets what is to be printed, and then makes the browser print; from the browser's menu, it prints what is there.

import { fillPaper } from "./timeline/paper.js";
import { HATCHED } from "./paint/colour.js";
import { element, swatch } from "./describe.js";
import { isPrint } from "./keys.js";
import { mark, part } from "./stage.js";
import { isHatched } from "./timeline/drawing.js";
import { shownOf } from "./state.js";
import { readTheme } from "./theme.js";
import { unprintedText } from "./words.js";
import { unshownText } from "./arranging/foot.js";

/** @typedef {import("./paint/colour.js").Rgb} Rgb */

/** Longest wait for pictures of tracks that have not been in view, in ms. */
const PATIENCE = 3000;

/** @typedef {import("./context.js").Context} Context */

/** The elements for printing.
 * @typedef {object} Paper
 * @property {HTMLElement} paper contains the timeline on paper
 * @property {HTMLElement} left says which tracks are left out
 * @property {import("./panels/drawer.js").LogDrawer} drawer
 */

/** @typedef {Pick<Context, "stage" | "store" | "timeline" | "overview" | "picture"> & Paper} Printed what to print, and where */

/** @param {Context} context */
export function followPrint(context) {
    const { stage, timeline } = context;
    /** @type {Paper} */
    const places = { paper: part(stage, "paper"), left: part(stage, "unprinted"), drawer: part(stage, "drawer") };
    const { own, reach, signal } = stage;
    let undo = () => {};
    /** Whether Ctrl+P was pressed, so that what is printed has been waited for. */
    let waited = false;
    const before = () => {
        undo();
        // Beside other content, Ctrl+P prints the whole page: leave it to the browser.
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
        // If something cannot be had, the rest is printed.
        const gathered = Promise.all([timeline.gather(), places.drawer.gather()]).catch(() => {});
        await Promise.race([gathered, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
        if (!signal.aborted) print();
        waited = false;
    };
    if (own) reach.addEventListener("keydown", pressed, { signal });
}

/**
 * Lays the viewer out for paper.
 * @param {Printed} printed
 * @param {boolean} wouldWait whether Ctrl+P would have waited for missing pictures
 * @returns {() => void} restores the screen
 */
function layOnPaper({ stage, store, timeline, overview, picture, paper, left, drawer }, wouldWait) {
    const { host } = stage;
    const theme = host.dataset.theme ?? null;
    const { height } = host.style;
    const roles = [...new Set(timeline.tracks.flatMap(({ states }) => states.map(({ role }) => role)))];
    const colours = roles.map(store.value.theme.rgb);
    const resume = timeline.pause();
    const areOld = wouldWait && drawer.hasOldFacts;
    drawer.print(true);
    mark(stage, "theme", "light");
    mark(stage, "printing", "");
    // Beside other content, the page limits its height; on paper there is no limit.
    host.style.height = "auto";
    store.set({ theme: readTheme(host) });
    const light = roles.map(store.value.theme.rgb);
    const restoreColours = theme === "light" ? () => {} : picture.exchange((image) => recoloured(image, colours, light));
    fill(paper, left, { store, timeline, picture }, { wouldWait, areOld });
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
        // Last: on paper nothing scrolls, and this scrolls back.
        drawer.print(false);
    };
}

/**
 * @param {HTMLElement} paper
 * @param {HTMLElement} left
 * @param {Pick<Printed, "store" | "timeline" | "picture">} what
 * @param {{ wouldWait: boolean, areOld: boolean }} missing
 */
function fill(paper, left, { store, timeline, picture }, missing) {
    const { view } = store.value;
    if (!view) return;
    const { sheet } = timeline;
    const rows = timeline.rowsOf(sheet);
    fillPaper(paper, rows, store.value, view, picture);
    paper.append(
        legendOf(
            rows.flatMap(({ track }) => track ?? []),
            picture,
            shownOf(store.value),
        ),
    );
    const undrawn = rows.filter(({ kind, track }) => kind === "tracks" && !(track && picture.has(track.id)));
    left.textContent = unprintedText(sheet, { arranged: unshownText(timeline.layout.plan), undrawn: undrawn.length, ...missing });
}

/**
 * What the colours of some tracks mean, as far as the log has them; on the screen, tooltips say that.
 * @param {import("./protocol.js").Track[]} tracks
 * @param {import("./picture.js").Picture} picture
 * @param {import("./state.js").LogState} shown
 */
function legendOf(tracks, picture, { log, finished }) {
    const states = tracks.flatMap(({ states }) => states).filter(({ total = 1 }) => total > 0);
    /** One colour may have several names: a lane's "GC working" is a "minor GC" among the collections. */
    const namesOf = (/** @type {string} */ role) => [...new Set(states.filter((state) => state.role === role).map(({ name }) => name))];
    const extent = log?.status.extent;
    const isUnknown =
        states.some(({ role }) => role === HATCHED) || (finished && extent && tracks.some((track) => isHatched(track, extent)));
    const isWritten = tracks.some(({ id }) => (picture.window?.tracks.get(id)?.hatched.length ?? 0) > 0);
    const roles = [...new Set(states.map(({ role }) => role))].filter((role) => role !== HATCHED);
    const entries = [
        ...roles.map((role) => ({ role, text: namesOf(role).join(", ") })),
        ...(isUnknown ? [{ role: HATCHED, text: "hatched: not in the log" }] : []),
        ...(isWritten ? [{ role: HATCHED, text: "hatched over a colour: the runtime wrote the log" }] : []),
    ];
    return element("ul", { class: "legend" }, ...entries.map(({ role, text }) => element("li", {}, swatch(role), text)));
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
