// Replaces the question about other servers in a page of one file, which contacts none.

customElements.define("log-question", class extends HTMLElement {});
