// The selection: its details, and a range of time.

import { addCommands } from "./command.js";
import { closeLast } from "../navigation/closing.js";
import { toggleMeasuring } from "../navigation/measuring.js";
import { fitSelected, makeRange, moveEdge, showRange } from "../navigation/ranges.js";

/** How far an edge of a range moves, as a share of the view. */
const STEP = 0.01;

addCommands([
    { id: "selection.fit", codes: ["KeyF"], keys: "F", name: "fit the selection", run: fitSelected },
    { id: "range.show", codes: ["Enter"], keys: "Enter", name: "zoom to the selected range", run: showRange },
    {
        id: "range.make",
        codes: ["KeyR"],
        keys: "R",
        name: "select a range: the time of the selected span, or of the view",
        run: (context) => void context.selecting.whenKnown(() => makeRange(context)),
    },
    {
        id: "range.end-left",
        codes: ["Shift+ArrowLeft"],
        keys: "Shift+←",
        name: "move the range's end to the left",
        run: (context) => moveEdge(context, "to", -STEP),
    },
    {
        id: "range.end-right",
        codes: ["Shift+ArrowRight"],
        keys: "Shift+→",
        name: "move the range's end to the right",
        run: (context) => moveEdge(context, "to", STEP),
    },
    {
        id: "range.start-left",
        codes: ["Alt+Shift+ArrowLeft"],
        keys: "Alt+Shift+←",
        name: "move the range's start to the left",
        run: (context) => moveEdge(context, "from", -STEP),
    },
    {
        id: "range.start-right",
        codes: ["Alt+Shift+ArrowRight"],
        keys: "Alt+Shift+→",
        name: "move the range's start to the right",
        run: (context) => moveEdge(context, "from", STEP),
    },
    {
        id: "range.snap",
        codes: ["Shift+KeyR"],
        keys: "Shift+R",
        name: "turn snapping on or off, for the ends of a range",
        run: ({ store, note }) => {
            const snaps = !store.value.snaps;
            store.set({ snaps, snapped: null });
            note(snaps ? "Snapping is on: the ends of a range snap to spans and markers" : "Snapping is off");
        },
    },
    {
        id: "measure.turn",
        codes: ["KeyI"],
        keys: "I",
        name: "measure from the selected span to the next one that you select; again: stop measuring",
        run: (context) => void context.selecting.whenKnown(() => toggleMeasuring(context)),
    },
    {
        id: "selection.clear",
        codes: ["Escape"],
        keys: "Esc",
        name: "close what was opened last: a finding's evidence, a search, or the selection",
        run: closeLast,
    },
]);
