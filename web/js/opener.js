// Opening logs: files, logs of servers, the example; for the page, and for its user.

import { shownOf } from "./state.js";
import { nameOf, urlOf } from "./url.js";

export class Opener {
    #viewer;

    /** @param {Pick<import("./context.js").Context, "store" | "client" | "logs" | "timeline" | "tell">} viewer */
    constructor(viewer) {
        this.#viewer = viewer;
    }

    /**
     * @param {File} file
     * @returns {number} the opening's
     */
    open(file) {
        const { logs, client } = this.#viewer;
        let opening = 0;
        logs.open(file, () => (opening = client.open({ file })));
        return opening;
    }

    /**
     * Opens a log of a server.
     * @param {string} address a relative one is the document's
     * @param {boolean} asks whether the user must agree if that is another server than the page's own
     * @returns {number} the opening's
     */
    load(address, asks) {
        const { logs, client } = this.#viewer;
        const url = urlOf(address, document.baseURI);
        const name = url ? nameOf(url) : address;
        let opening = 0;
        logs.open({ name, size: 0 }, () => (opening = client.open({ url: url?.href ?? address, name, asks })));
        return opening;
    }

    /** @param {File} file of the user */
    openAsUser(file) {
        this.#forUser();
        this.open(file);
    }

    /** The user wants to see the example. */
    example() {
        const { logs, client, timeline } = this.#viewer;
        this.#forUser();
        logs.open({ name: "example.eventlog", size: 0 }, () => client.open({ example: true }));
        // The button is gone, and so is the focus.
        timeline.focus();
    }

    /** Gives up what is on its way; what was open before is shown. */
    cancel() {
        const { logs, store, timeline } = this.#viewer;
        logs.cancel();
        if (shownOf(store.value).log?.status.extent) timeline.outdated();
    }

    /** Closes whatever is open. */
    close() {
        this.#viewer.logs.close();
    }

    /** What the page wishes of its log is nothing to one that the user opens. */
    #forUser() {
        const { store, tell } = this.#viewer;
        store.set({ wish: {} });
        tell("useropen", null, 0);
    }
}
