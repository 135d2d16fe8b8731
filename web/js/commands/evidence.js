// Findings, and their evidence on the timeline.

import { addCommands } from "./command.js";
import { stepEvidence, stepFinding } from "../navigation/evidence.js";

addCommands([
    { id: "finding.next", codes: ["KeyN"], keys: "N", name: "next finding, with its evidence", run: (context) => stepFinding(context, 1) },
    {
        id: "finding.previous",
        codes: ["Shift+KeyN"],
        keys: "Shift+N",
        name: "previous finding",
        run: (context) => stepFinding(context, -1),
    },
    {
        id: "evidence.next",
        codes: ["KeyE"],
        keys: "E",
        name: "next place of the finding's evidence",
        run: (context) => stepEvidence(context, 1),
    },
    {
        id: "evidence.previous",
        codes: ["Shift+KeyE"],
        keys: "Shift+E",
        name: "previous place",
        run: (context) => stepEvidence(context, -1),
    },
]);
