// Knows which log is shown, which one will replace it, and which log Cancel returns to.
//
//     shown ── open ──▶ shown, next ── next proves readable ──▶ shown (being read), kept ── read to its end ──▶ shown
//                         │ unreadable, Cancel                     │ Cancel
//                         ▼                                        ▼
//                       shown                                    kept is shown again, as it was

import { choiceOf, filesText } from "./several.js";
import { changeLog, firstSight, newLog, nothing, phaseOf, shownOf } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").LogInfo} LogInfo */
/** @typedef {import("./state.js").LogState} LogState */
/** @typedef {import("./state.js").Seen} Seen */
/** @typedef {import("./state.js").FileInfo} FileInfo */

export class Logs {
    #client;
    #store;
    #turn;
    /** The view that Cancel returns to while another log is being read. @type {Seen | null} */
    #kept = null;

    /**
     * @param {import("./client.js").Client} client
     * @param {import("./store.js").Store<State>} store
     * @param {() => void} turn called when another log is shown, or none: no picture of the last one may stay
     */
    constructor(client, store, turn) {
        this.#client = client;
        this.#store = store;
        this.#turn = turn;
    }

    /**
     * Opens a file; the shown log stays until that proves readable.
     * @param {FileInfo} file
     * @param {() => number} open begins, and returns the number of the log
     * @param {readonly File[]} [several] the files that came together with it
     */
    open({ name, size, url }, open, several = []) {
        this.#drop();
        // Opening may find out that the worker hangs: then all open logs are gone.
        const opening = open();
        this.set({
            next: { opening, file: { name, size, url }, several, read: 0, question: null, loads: false, choice: null },
            retryIn: null,
            error: "",
            wrong: null,
        });
    }

    /**
     * Lets the user choose one of several files.
     * @param {readonly File[]} files
     */
    offerFiles(files) {
        const file = { name: filesText(files), size: 0 };
        const next = { opening: 0, file, several: files, read: 0, question: null, loads: false, choice: choiceOf(files, "") };
        this.#drop();
        this.set({ next, retryIn: null, error: "", wrong: null });
    }

    /**
     * What the user wants to open cannot be a log.
     * @param {string} name
     * @param {string} error
     */
    refuse(name, error) {
        this.#drop();
        this.set({ error, wrong: { name, size: 0, opening: 0 } });
    }

    /**
     * Some more of a log has been read, or all of it.
     * @param {number} opening
     * @param {LogInfo} log
     * @param {boolean} finished
     * @returns {boolean} whether it is the log on the screen
     */
    read(opening, log, finished) {
        const { next } = this.#store.value;
        if (next?.opening === opening) {
            // Without any event yet, it may still turn out to be unreadable.
            if (!finished && log.status.events === 0) {
                this.set({ next: { ...next, file: { ...next.file, size: log.size }, read: log.read, loads: false } });
                return false;
            }
            this.#adopt(next);
        }
        if (this.#store.value.shown !== opening) return false;
        if (finished) this.#forgetKept();
        return true;
    }

    /** @param {import("./state.js").Next} next has proved readable: shows it */
    #adopt(next) {
        const { shown, view, follows, range, snapped, span, measureFrom, finding } = this.#store.value;
        if (shownOf(this.#store.value).finished) {
            this.#forgetKept();
            this.#kept = { shown, view, follows, range, snapped, span, measureFrom, finding };
        } else if (shown) {
            this.#client.close(shown);
        }
        this.#show(firstSight(next.opening), {}, newLog(next.opening, next.file, next.several));
    }

    /**
     * A file cannot be shown.
     * @param {number} opening
     * @param {string} error
     */
    failed(opening, error) {
        const { next, shown } = this.#store.value;
        if (next?.opening === opening) return this.set({ next: null, error, wrong: { ...next.file, opening, several: next.several } });
        if (shown !== opening) return;
        const { file, several } = shownOf(this.#store.value);
        // Nothing more will be known about the log.
        this.#back({ error, wrong: { name: "", size: 0, ...file, opening, several } });
    }

    /** Something went wrong with an open log.
     * @param {number} opening
     * @param {string} text
     */
    trouble(opening, text) {
        this.#change(opening, (troubles) => (troubles.includes(text) ? troubles : [...troubles, text]));
    }

    /**
     * That trouble is over.
     * @param {number} opening
     * @param {string} text
     */
    solved(opening, text) {
        this.#change(opening, (troubles) => troubles.filter((trouble) => trouble !== text));
    }

    /**
     * Changes the troubles of an open log.
     * @param {number} opening
     * @param {(troubles: string[]) => string[]} change
     */
    #change(opening, change) {
        const { troubles = [] } = this.#store.value.logs[opening] ?? {};
        changeLog(this.#store, opening, { troubles: change(troubles) });
    }

    /**
     * The worker is gone, and with it all open logs.
     * @param {string} error why; empty if the user wanted it
     */
    ended(error) {
        const { next } = this.#store.value;
        const { file, number } = shownOf(this.#store.value);
        const wrong = next ? { ...next.file, opening: next.opening } : file && { ...file, opening: number };
        this.#kept = null;
        this.#show(firstSight(0), { error, wrong: error ? wrong : null });
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
     * The user must agree before another server than the page's own is asked.
     * @param {number} opening
     * @param {import("./protocol.js").Question} question
     */
    ask(opening, question) {
        const { next } = this.#store.value;
        if (next?.opening === opening) this.set({ next: { ...next, question } });
    }

    /** The user agrees. */
    allow() {
        const { next } = this.#store.value;
        if (!next?.question) return;
        this.set({ next: { ...next, question: null } });
        this.#client.of(next.opening).send("allow", null);
    }

    /**
     * How much of a log has come from a server.
     * @param {number} opening
     * @param {import("./protocol.js").Loading} loading
     */
    loading(opening, { read, size, retryIn }) {
        const { next } = this.#store.value;
        if (next?.opening === opening) this.set({ next: { ...next, file: { ...next.file, size }, read, loads: true }, retryIn });
        else if (!next && this.#store.value.shown === opening) this.set({ retryIn });
    }

    /** @param {number} entry of the archive */
    choose(entry) {
        const { next } = this.#store.value;
        if (!next) return;
        this.set({ next: { ...next, choice: null } });
        this.#client.of(next.opening).send("choose", entry);
    }

    /** @param {string} text to find in the names of the logs */
    filter(text) {
        const { next } = this.#store.value;
        if (next?.opening === 0) this.set({ next: { ...next, choice: choiceOf(next.several, text) } });
        else if (next) this.#client.of(next.opening).send("filter", text);
    }

    /** Gives up the log that is being opened, and shows the one before again. */
    cancel() {
        const { next, shown } = this.#store.value;
        if (next) return this.#drop();
        if (shownOf(this.#store.value).finished) return;
        this.#client.close(shown);
        this.#back({});
    }

    /** Forgets the file that could not be shown. */
    dismiss() {
        this.set({ error: "", wrong: null });
    }

    /** Closes the open logs. */
    close() {
        this.#drop();
        this.#forgetKept();
        this.#client.close(this.#store.value.shown);
        this.#back({});
    }

    #drop() {
        const { next } = this.#store.value;
        if (!next) return;
        this.#client.close(next.opening);
        this.set({ next: null });
    }

    #forgetKept() {
        const kept = this.#kept;
        this.#kept = null;
        if (!kept) return;
        this.#client.close(kept.shown);
        const { [kept.shown]: _closed, ...logs } = this.#store.value.logs;
        this.#store.set({ logs });
    }

    /** @param {Partial<State>} change */
    #back(change) {
        const kept = this.#kept;
        this.#kept = null;
        this.#show(kept ?? firstSight(0), change);
    }

    /**
     * Shows another log, or none. Of the other open logs, only the kept one stays open.
     * @param {Seen} seen
     * @param {Partial<State>} change other changes to the page's state
     * @param {LogState} [added] the log, if it is a new one
     */
    #show(seen, change, added) {
        const open = [...Object.values(this.#store.value.logs), ...(added ? [added] : [])];
        const stay = open.filter(({ number }) => number === seen.shown || number === this.#kept?.shown);
        this.#turn();
        this.set({ ...nothing(), logs: Object.fromEntries(stay.map((log) => [log.number, log])), ...seen, ...change });
    }

    /** @param {Partial<State>} change to the state */
    set(change) {
        this.#store.set({ ...change, phase: phaseOf({ ...this.#store.value, ...change }) });
    }
}
