// In place of the question about other servers, in a page of one file: it asks none.

customElements.define("log-question", class extends HTMLElement {});
