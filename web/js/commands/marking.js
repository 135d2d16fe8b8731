// Notes, and the program's markers.

import { addCommands } from "./command.js";
import { chooseMarkers, stepMarkers } from "../navigation/markers.js";
import { takeNote } from "../notes/taking.js";
import { toggleOverlay } from "../overlays/overlay.js";

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
        run: ({ store }) => toggleOverlay(store, "markers"),
    },
    {
        id: "markers.choose",
        codes: [],
        keys: "",
        name: "choose which markers have lines, by their text",
        run: (context) => void chooseMarkers(context),
    },
    {
        id: "markers.range",
        codes: ["KeyJ"],
        keys: "J",
        name: "select from marker to marker: around the pointer, then the next two",
        run: (context) => void stepMarkers(context, 1),
    },
    {
        id: "markers.range-back",
        codes: ["Shift+KeyJ"],
        keys: "Shift+J",
        name: "select from marker to marker: the two before these",
        run: (context) => void stepMarkers(context, -1),
    },
]);
