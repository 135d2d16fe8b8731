// Steps from the selection to something else.

import { addCommands } from "./command.js";
import { alongTrack, alongWakeUps, toOtherRow, toTrack } from "../navigation/steps.js";

addCommands([
    {
        id: "step.next",
        codes: [],
        characters: ["."],
        keys: ".",
        name: "next span on the track",
        run: ({ selecting }) => selecting.step(alongTrack(true)),
    },
    {
        id: "step.previous",
        codes: [],
        characters: [","],
        keys: ",",
        name: "previous span on the track",
        run: ({ selecting }) => selecting.step(alongTrack(false)),
    },
    {
        id: "step.woken-by",
        codes: [],
        characters: ["["],
        keys: "[",
        name: "to the thread that woke this one up",
        run: ({ selecting }) => selecting.step(alongWakeUps(true)),
    },
    {
        id: "step.woke",
        codes: [],
        characters: ["]"],
        keys: "]",
        name: "to the thread that this one woke up, or to its next run",
        run: ({ selecting }) => selecting.step(alongWakeUps(false)),
    },
    {
        id: "step.other-row",
        codes: ["KeyT"],
        keys: "T",
        name: "from a run on a capability, or a span, to its thread's row, and back",
        run: ({ selecting }) => selecting.step(toOtherRow),
    },
    {
        id: "step.below",
        codes: ["Shift+ArrowDown"],
        keys: "Shift+↓",
        name: "to the track below",
        run: ({ selecting }) => selecting.step(toTrack(1)),
    },
    {
        id: "step.above",
        codes: ["Shift+ArrowUp"],
        keys: "Shift+↑",
        name: "to the track above",
        run: ({ selecting }) => selecting.step(toTrack(-1)),
    },
]);
