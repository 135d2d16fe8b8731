// Moving about in the log.

import { addCommands } from "./command.js";
import { drawerOf } from "../stage.js";

/** The factor of one press of a key. */
const ZOOM = 1.5;
const PAN = 0.15;
const SCROLL = 60;

/** A page of rows or of the drawer's panel, as a share of what is in view. */
const PAGE = 0.9;

/**
 * Scrolls the panel if the focus is at its tabs; else the tracks.
 * @param {import("../context.js").Context} context
 * @param {1 | -1} way
 */
function scrollPage({ stage, timeline }, way) {
    const drawer = drawerOf(stage);
    const panel = drawer.matches(":focus-within") ? drawer.querySelector("#panel") : null;
    if (panel) panel.scrollBy({ top: way * PAGE * panel.clientHeight });
    else timeline.scrollBy(way * PAGE * timeline.height);
}

addCommands([
    {
        id: "view.zoom-in",
        codes: ["KeyW"],
        // Where "+" needs Shift, it is on the key of "=".
        characters: ["+", "="],
        keys: "W +",
        name: "zoom in",
        run: ({ moving }) => moving.zoomBy(1 / ZOOM),
    },
    {
        id: "view.zoom-out",
        codes: ["KeyS"],
        characters: ["-", "_"],
        keys: "S −",
        name: "zoom out",
        run: ({ moving }) => moving.zoomBy(ZOOM),
    },
    { id: "view.left", codes: ["KeyA", "ArrowLeft"], keys: "A ←", name: "move left", run: ({ moving }) => moving.panBy(-PAN) },
    { id: "view.right", codes: ["KeyD", "ArrowRight"], keys: "D →", name: "move right", run: ({ moving }) => moving.panBy(PAN) },
    { id: "view.up", codes: ["ArrowUp"], keys: "↑", name: "scroll the tracks up", run: ({ timeline }) => timeline.scrollBy(-SCROLL) },
    { id: "view.down", codes: ["ArrowDown"], keys: "↓", name: "scroll the tracks down", run: ({ timeline }) => timeline.scrollBy(SCROLL) },
    { id: "view.page-up", codes: ["PageUp"], keys: "PageUp", name: "scroll up by a page", run: (context) => scrollPage(context, -1) },
    {
        id: "view.page-down",
        codes: ["PageDown"],
        keys: "PageDown",
        name: "scroll down by a page",
        run: (context) => scrollPage(context, 1),
    },
    { id: "view.all", codes: ["Digit0", "Numpad0"], keys: "0", name: "show the whole log", run: ({ moving }) => moving.showAll() },
]);
