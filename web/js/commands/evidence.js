// Findings, and their evidence on the timeline.

import { addCommands } from "./command.js";
import { stepEvidence, stepFinding } from "../navigation/evidence.js";
import { drawerOf } from "../stage.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../panels/findings.js").LogFindings} LogFindings */

/**
 * Chooses something with the list in view, unless the drawer is folded. If the focus was in the drawer, it moves to the title of what is
 * chosen, whose buttons come next.
 * @param {Context} context
 * @param {(context: Context) => void} choose
 */
async function withList(context, choose) {
    const drawer = drawerOf(context.stage);
    const hadFocus = drawer.matches(":focus-within");
    if (!drawer.folded) drawer.choose("findings");
    choose(context);
    if (!hadFocus) return;
    await drawer.updateComplete;
    const list = /** @type {LogFindings | null} */ (drawer.querySelector("log-findings"));
    await list?.updateComplete;
    list?.focusChosen();
}

addCommands([
    {
        id: "finding.next",
        codes: ["KeyN"],
        keys: "N",
        name: "next finding, with its evidence",
        run: (context) => void withList(context, (around) => stepFinding(around, 1)),
    },
    {
        id: "finding.previous",
        codes: ["Shift+KeyN"],
        keys: "Shift+N",
        name: "previous finding",
        run: (context) => void withList(context, (around) => stepFinding(around, -1)),
    },
    {
        id: "evidence.next",
        codes: ["KeyE"],
        keys: "E",
        name: "next place of the finding's evidence",
        run: (context) => void withList(context, (around) => stepEvidence(around, 1)),
    },
    {
        id: "evidence.previous",
        codes: ["Shift+KeyE"],
        keys: "Shift+E",
        name: "previous place of the finding's evidence",
        run: (context) => void withList(context, (around) => stepEvidence(around, -1)),
    },
]);
