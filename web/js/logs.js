// Which log is shown, which file is to take its place, and which log Cancel returns to.
//
//     shown ── open ──▶ shown, next ── next proves readable ──▶ shown (being read), kept ── read to its end ──▶ shown
//                         │ unreadable, Cancel                     │ Cancel
//                         ▼                                        ▼
//                       shown                                    kept is shown again, as it was

import { nothing, phaseOf } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").LogInfo} LogInfo */
/** @typedef {{ name: string, size: number }} FileInfo */

/** @typedef {Pick<State, "opening" | "finished" | "log" | "file" | "troubles" | "view" | "follows" | "range" | "totals" | "span">} Kept */

export class Logs {
    #client;
    #store;
    #turn;
    /** What Cancel returns to while another log is being read. @type {Kept | null} */
    #kept = null;

    /**
     * @param {import("./client.js").Client} client
     * @param {import("./store.js").Store<State>} store
     * @param {() => void} turn is called when another log is shown from now on, or none: no picture of the last one may stay
     */
    constructor(client, store, turn) {
        this.#client = client;
        this.#store = store;
        this.#turn = turn;
    }

    /**
     * Opens a file, beside the log that is shown.
     * @param {FileInfo} file
     * @param {() => number} open begins, and gives its number
     */
    open({ name, size }, open) {
        this.#drop();
        // Beginning may find that the worker hangs: what was open is gone then.
        const opening = open();
        this.set({
            next: { opening, file: { name, size }, read: 0, question: null, loads: false, choice: null },
            retryIn: null,
            error: "",
            wrong: null,
        });
    }

    /**
     * Some more of a log has been read, or all of it.
     * @param {number} opening
     * @param {LogInfo} log
     * @param {boolean} finished
     * @returns {boolean} whether it is the log that is shown
     */
    read(opening, log, finished) {
        const { next } = this.#store.value;
        if (next?.opening === opening) {
            // Without any event it may turn out to be unreadable yet.
            if (!finished && log.status.events === 0) {
                this.set({ next: { ...next, file: { ...next.file, size: log.size }, read: log.read, loads: false } });
                return false;
            }
            this.#adopt(next);
        }
        if (this.#store.value.opening !== opening) return false;
        if (finished) this.#forgetKept();
        return true;
    }

    /** @param {import("./state.js").Next} next has proved readable: it is shown from now on */
    #adopt(next) {
        const { opening, finished, log, file, troubles, view, follows, range, totals, span } = this.#store.value;
        if (log && finished) {
            this.#forgetKept();
            this.#kept = { opening, finished, log, file, troubles, view, follows, range, totals, span };
        } else if (log) {
            this.#client.close(opening);
        }
        this.#turn();
        this.set({ ...nothing(), opening: next.opening, file: next.file });
    }

    /**
     * A file cannot be shown.
     * @param {number} opening
     * @param {string} error
     */
    failed(opening, error) {
        const { next, file } = this.#store.value;
        if (next?.opening === opening) this.set({ next: null, error, wrong: { ...next.file, opening } });
        // Nothing can be told of the log any more.
        else if (this.#store.value.opening === opening) this.#back({ error, wrong: { name: "", size: 0, ...file, opening } });
    }

    /**
     * Something went wrong with a log that is open.
     * @param {number} opening
     * @param {string} text
     */
    trouble(opening, text) {
        this.#change(opening, (troubles) => (troubles.includes(text) ? troubles : [...troubles, text]));
    }

    /**
     * That is over.
     * @param {number} opening
     * @param {string} text
     */
    solved(opening, text) {
        this.#change(opening, (troubles) => troubles.filter((trouble) => trouble !== text));
    }

    /**
     * Changes the troubles of the log that is shown, or of the one that Cancel returns to.
     * @param {number} opening
     * @param {(troubles: string[]) => string[]} change
     */
    #change(opening, change) {
        if (this.#store.value.opening === opening) this.#store.set({ troubles: change(this.#store.value.troubles) });
        else if (this.#kept?.opening === opening) this.#kept.troubles = change(this.#kept.troubles);
    }

    /**
     * The worker is gone, and with it all that was open.
     * @param {string} error why, if that was not wanted
     */
    ended(error) {
        const { opening, next, file } = this.#store.value;
        const wrong = next ? { ...next.file, opening: next.opening } : file && { ...file, opening };
        this.#kept = null;
        this.#turn();
        this.set({ ...nothing(), error, wrong: error ? wrong : null });
    }

    /**
     * An archive has several logs.
     * @param {number} opening
     * @param {import("./protocol.js").Choice} choice
     */
    offer(opening, choice) {
        const { next } = this.#store.value;
        if (next?.opening === opening) this.set({ next: { ...next, choice } });
    }

    /**
     * Another server than the page's own would be asked for a log.
     * @param {number} opening
     * @param {import("./protocol.js").Question} question
     */
    ask(opening, question) {
        const { next } = this.#store.value;
        if (next?.opening === opening) this.set({ next: { ...next, question } });
    }

    /** It may. */
    allow() {
        const { next } = this.#store.value;
        if (!next?.question) return;
        this.set({ next: { ...next, question: null } });
        this.#client.of(next.opening).send("allow", null);
    }

    /**
     * How a log comes from a server.
     * @param {number} opening
     * @param {import("./protocol.js").Loading} loading
     */
    loading(opening, { read, size, retryIn }) {
        const { next } = this.#store.value;
        if (next?.opening === opening) this.set({ next: { ...next, file: { ...next.file, size }, read, loads: true }, retryIn });
        else if (!next && this.#store.value.opening === opening) this.set({ retryIn });
    }

    /** @param {number} entry of the archive */
    choose(entry) {
        const { next } = this.#store.value;
        if (!next) return;
        this.set({ next: { ...next, choice: null } });
        this.#client.of(next.opening).send("choose", entry);
    }

    /** @param {string} text that the names of the listed logs shall have in them */
    filter(text) {
        const { next } = this.#store.value;
        if (next) this.#client.of(next.opening).send("filter", text);
    }

    /** What is being opened is not wanted: what was open before is shown again. */
    cancel() {
        const { next, finished, opening } = this.#store.value;
        if (next) return this.#drop();
        if (finished) return;
        this.#client.close(opening);
        this.#back({});
    }

    /** Forgets what could not be shown. */
    dismiss() {
        this.set({ error: "", wrong: null });
    }

    /** Closes whatever is open. */
    close() {
        this.#drop();
        this.#forgetKept();
        this.#client.close(this.#store.value.opening);
        this.#back({});
    }

    #drop() {
        const { next } = this.#store.value;
        if (!next) return;
        this.#client.close(next.opening);
        this.set({ next: null });
    }

    #forgetKept() {
        if (this.#kept) this.#client.close(this.#kept.opening);
        this.#kept = null;
    }

    /** @param {Partial<State>} change */
    #back(change) {
        const kept = this.#kept;
        this.#kept = null;
        this.#turn();
        this.set({ ...nothing(), ...kept, ...change });
    }

    /** @param {Partial<State>} change of the log that is shown */
    set(change) {
        this.#store.set({ ...change, phase: phaseOf({ ...this.#store.value, ...change }) });
    }
}
