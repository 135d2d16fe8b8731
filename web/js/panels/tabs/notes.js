// What the user has written at moments of the log.

import { html } from "lit";
import { addPanel } from "../panel.js";
import "../notes.js";

addPanel({
    key: "notes",
    name: "Notes",
    sections: [],
    what: "what you have written at moments of the log (M)",
    counted: (_, { notes }) => (notes.length > 0 ? { count: notes.length, things: notes.length === 1 ? "note" : "notes" } : undefined),
    render: (shown) => html`<log-notes .shownWith=${shown}></log-notes>`,
});
