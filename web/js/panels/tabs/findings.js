// What is wrong with the program, as far as the log shows it, and where its time went.

import { html } from "lit";
import { addPanel } from "../panel.js";
import { tally } from "../../findings.js";
import { IN_RANGE, WHOLE_LOG } from "../range-or-whole.js";
import "../findings.js";

addPanel({
    key: "findings",
    name: "Findings",
    sections: [],
    what: "what slows the program down, with the evidence, and where its time went",
    counted: ({ log }, { dismissed }) => log?.findings && tally(log.findings.findings, dismissed),
    render: ({ acts, times, theme, totals, log, findings, printed }) => {
        const ofRange = totals?.account;
        return html`<log-findings
            .findings=${log.findings}
            .account=${ofRange ?? log.account}
            .time=${totals === null ? "" : ofRange ? IN_RANGE : WHOLE_LOG}
            .chosen=${findings.chosen}
            .dismissed=${findings.dismissed}
            .following=${log.following}
            .times=${times}
            .theme=${theme}
            .acts=${acts.findings}
            .printed=${printed}
        ></log-findings>`;
    },
});
