// Opens logs: files, logs on servers, the example; for the page, or for the user.

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
     * @param {readonly File[]} [several] the files that came together with it
     * @returns {number} the number of the opening
     */
    open(file, several) {
        const { logs, client } = this.#viewer;
        let opening = 0;
        logs.open({ name: file.name, size: file.size }, () => (opening = client.open({ file })), several);
        return opening;
    }

    /**
     * Opens a log on a server.
     * @param {string} address may be relative to the document's
     * @param {boolean} asks whether the user must agree if it is not the page's own server
     * @returns {number} the number of the opening
     */
    load(address, asks) {
        const { logs, client } = this.#viewer;
        const url = urlOf(address, document.baseURI);
        const name = url ? nameOf(url) : address;
        let opening = 0;
        logs.open({ name, size: 0, url: address }, () => (opening = client.open({ url: url?.href ?? address, name, asks })));
        return opening;
    }

    /**
     * @param {File} file chosen by the user
     * @param {readonly File[]} [several] the files that came together with it
     */
    openAsUser(file, several) {
        this.#forUser();
        this.open(file, several);
    }

    /**
     * Opens a file that the user has chosen; of several, the user chooses one.
     * @param {readonly File[]} files
     */
    openOneOf(files) {
        if (files.length === 1) this.openAsUser(files[0]);
        else if (files.length > 1) this.#viewer.logs.offerFiles(files);
    }

    /** @param {number} entry what the user has chosen of an archive, or of several files */
    choose(entry) {
        const { logs, store } = this.#viewer;
        const { next } = store.value;
        if (next?.opening !== 0) return logs.choose(entry);
        this.openAsUser(next.several[entry], next.several);
    }

    /**
     * @param {string} name of what the user wants to open, but which cannot be a log
     * @param {string} error
     */
    refuse(name, error) {
        this.#viewer.logs.refuse(name, error);
    }

    /** @param {readonly File[]} files that came together, of which the user wants another one */
    chooseAgain(files) {
        this.#viewer.logs.offerFiles(files);
    }

    /** Opens the example for the user. */
    example() {
        const { logs, client, timeline } = this.#viewer;
        this.#forUser();
        logs.open({ name: "example.eventlog", size: 0 }, () => client.open({ example: true }));
        // The button is gone, and it had the focus.
        timeline.focus();
    }

    /** Gives up the log that is being opened; the one before is shown. */
    cancel() {
        const { logs, store, timeline } = this.#viewer;
        logs.cancel();
        if (shownOf(store.value).log?.status.extent) timeline.outdated();
    }

    /** Closes the open log, if there is one. */
    close() {
        this.#viewer.logs.close();
    }

    /** Drops the view that the page asked for: it is not meant for a log that the user opens. */
    #forUser() {
        const { store, tell } = this.#viewer;
        store.set({ requested: {} });
        tell("useropen", null, 0);
    }
}
