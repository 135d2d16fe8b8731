// Each instance of a label of the program's own spans.

import { html } from "lit";
import { addPanel } from "../panel.js";
import "../requests.js";

addPanel({
    key: "requests",
    name: "Requests",
    sections: ["requests", "spans"],
    what: "each of the program's own spans with a label that you choose: how long it took, and what its thread did meanwhile",
    render: (shown) => html`<h2 class="visually-hidden">Requests</h2>
        <log-requests .shownWith=${shown}></log-requests>`,
});
