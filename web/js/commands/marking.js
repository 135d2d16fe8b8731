// Notes, and the program's markers.

import { addCommands } from "./command.js";
import { takeNote } from "../notes/taking.js";
import { turnOverlay } from "../overlays/overlay.js";

addCommands([
    {
        id: "note.take",
        codes: ["KeyM"],
        keys: "M",
        name: "write a note at the selected range or span, or where the pointer is",
        run: takeNote,
    },
    {
        id: "markers.turn",
        codes: ["Shift+KeyM"],
        keys: "Shift+M",
        name: "hide or show the lines of the program's markers",
        run: ({ store }) => turnOverlay(store, "markers"),
    },
]);
