// The messages themselves, which no table of their section has: the search lists them.

import { html, nothing } from "lit";
import { addTools, ofSection } from "./tools.js";

addTools(ofSection("messages"), ({ acts, log }) => {
    const { count = 0 } = log.facts.sections.find(({ key }) => key === "messages") ?? {};
    if (count === 0) return nothing;
    return html`<button class="copy" title="Search for type:message; add a word to find one" @click=${() => acts.hits.search("type:message")}>List each message</button>`;
});
