// Findings, and their evidence on the timeline.

import { addCommands } from "./command.js";
import { stepEvidence, stepFinding } from "../navigation/evidence.js";
import { part } from "../stage.js";

/**
 * Opens the tab with the list, unless the drawer is folded.
 * @param {import("../context.js").Context} context
 */
function withList(context) {
    const drawer = /** @type {import("../panels/drawer.js").LogDrawer} */ (part(context.stage, "drawer"));
    if (!drawer.folded) drawer.choose("findings");
    return context;
}

addCommands([
    {
        id: "finding.next",
        codes: ["KeyN"],
        keys: "N",
        name: "next finding, with its evidence",
        run: (context) => stepFinding(withList(context), 1),
    },
    {
        id: "finding.previous",
        codes: ["Shift+KeyN"],
        keys: "Shift+N",
        name: "previous finding",
        run: (context) => stepFinding(withList(context), -1),
    },
    {
        id: "evidence.next",
        codes: ["KeyE"],
        keys: "E",
        name: "next place of the finding's evidence",
        run: (context) => stepEvidence(withList(context), 1),
    },
    {
        id: "evidence.previous",
        codes: ["Shift+KeyE"],
        keys: "Shift+E",
        name: "previous place",
        run: (context) => stepEvidence(withList(context), -1),
    },
]);
