// What is wrong with the program, as far as the log shows it, and where its time went.

import { html } from "lit";
import { addPanel } from "../panel.js";
import { warnings } from "../../findings.js";
import "../findings.js";

addPanel({
    key: "findings",
    name: "Findings",
    sections: [],
    what: "what slows the program down, with the evidence, and where its time went",
    counted: ({ log }, { dismissed }) => {
        const findings = log?.findings;
        return findings && { count: warnings(findings.findings, dismissed), things: "warnings" };
    },
    render: ({ acts, times, theme, totals, log, findings, printed }) => {
        const ofRange = totals?.account;
        return html`<log-findings
            .findings=${log.findings}
            .account=${ofRange ?? log.account}
            .isWhole=${totals !== null && !ofRange}
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
