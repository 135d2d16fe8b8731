// The samples of a profile that are marked on the timeline.

import { addCommands } from "./command.js";
import { stepCalls } from "../navigation/call-samples.js";

addCommands([
    {
        id: "calls.next",
        codes: ["KeyK"],
        keys: "K",
        name: "next marked sample of the profile",
        run: (context) => void stepCalls(context, 1),
    },
    {
        id: "calls.previous",
        codes: ["Shift+KeyK"],
        keys: "Shift+K",
        name: "previous marked sample of the profile",
        run: (context) => void stepCalls(context, -1),
    },
]);
