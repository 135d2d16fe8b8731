// Showing the program's markers.

import { addCommands } from "./command.js";
import { turnOverlay } from "../overlays/overlay.js";

addCommands([
    {
        id: "markers.turn",
        codes: ["Shift+KeyM"],
        keys: "Shift+M",
        name: "hide or show the lines of the program's markers",
        run: ({ store }) => turnOverlay(store, "markers"),
    },
]);
