// The note that a new version of the page is ready: above the viewer, until the user reloads the page or dismisses the note.

import { html, nothing, render } from "lit";
import { TAKE_OVER } from "./protocol.js";

export class NewVersion {
    #viewer;
    #element = Object.assign(document.createElement("div"), { className: "new-version", role: "status" });

    /** @param {HTMLElement} viewer */
    constructor(viewer) {
        this.#viewer = viewer;
        // Empty at first, so that screen readers announce what is added.
        viewer.before(this.#element);
    }

    /**
     * @param {ServiceWorker} waiting the service worker of the new version
     * @param {number} others the number of pages that use the old version
     */
    show(waiting, others = 0) {
        const [pages, them] = others === 1 ? ["another page of this site is", "it"] : [`${others} other pages of this site are`, "them"];
        const text =
            others === 0
                ? html`A new version is ready. <span>After reloading, open a log from your disk again.</span>`
                : html`A new version is ready, but ${pages} still using the old one. Close ${them} first.`;
        render(
            html`
                <p>${text}</p>
                <button @click=${() => this.#take(waiting)}>Reload</button>
                <button @click=${() => this.#hide()}>Later</button>
            `,
            this.#element,
        );
    }

    /** @param {ServiceWorker} waiting */
    #take(waiting) {
        waiting.addEventListener("statechange", () => {
            if (waiting.state === "activated") location.reload();
        });
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data: others }) => {
            if (others > 0) this.show(waiting, others);
        };
        waiting.postMessage(TAKE_OVER, [port2]);
    }

    #hide() {
        render(nothing, this.#element);
        // The button is gone, and it had the focus.
        /** @type {HTMLElement | null | undefined} */ (this.#viewer.shadowRoot?.querySelector("#open-file"))?.focus();
    }
}
