// Moving about in the log.

import { addCommands } from "./command.js";

/** The factor of one press of a key. */
const ZOOM = 1.5;
const PAN = 0.15;
const SCROLL = 60;

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
    { id: "view.all", codes: ["Digit0", "Numpad0"], keys: "0", name: "show the whole log", run: ({ moving }) => moving.showAll() },
]);
