// What the user has done to a log, remembered by log: if the viewer owns its page, and the browser permits that. A log is recognised by its
// name, its bytes and its events.

import { remember, remembered } from "./remembered.js";
import { follow } from "./store.js";
import { shownOf } from "./state.js";

/** Most logs of which something is remembered: those that were last changed. */
const MOST_LOGS = 100;

/**
 * The key of a log.
 * @param {Pick<import("./protocol.js").LogInfo, "name" | "status">} log
 */
export function keyOf({ name, status }) {
    return `${name} ${status.offset} ${status.events}`;
}

/**
 * A list of things that is remembered of each log.
 * @template T
 */
export class ByLog {
    #name;
    #most;
    #read;

    /**
     * @param {string} name of what is remembered
     * @param {number} most things of a log
     * @param {(written: unknown) => T | null} read gives null for what is none: what is stored may be from another version, or from another
     *     program
     */
    constructor(name, most, read) {
        this.#name = name;
        this.#most = most;
        this.#read = read;
    }

    /**
     * @param {string} key the log's
     * @returns {T[]}
     */
    of(key) {
        return this.#stored().find(([other]) => other === key)?.[1] ?? [];
    }

    /**
     * @param {string} key the log's
     * @param {readonly T[]} things none to forget the log
     * @returns {boolean} whether the browser keeps them
     */
    remember(key, things) {
        const others = this.#stored().filter(([other]) => other !== key);
        const all = things.length > 0 ? [...others, [key, things]] : others;
        return remember(this.#name, JSON.stringify(all.slice(-MOST_LOGS)));
    }

    /**
     * Calls a function with what is remembered of each log that has been read, unless that is nothing.
     * @param {Pick<import("./context.js").Context, "stage" | "store">} context
     * @param {(things: T[]) => void} take
     */
    follow({ stage, store }, take) {
        if (!stage.own) return;
        follow(
            store,
            (state) => [state.shown, shownOf(state).finished],
            (state) => {
                const { log, finished } = shownOf(state);
                const things = log && finished ? this.of(keyOf(log)) : [];
                if (things.length > 0) take(things);
            },
        );
    }

    /** @returns {[string, T[]][]} */
    #stored() {
        try {
            return this.in(JSON.parse(remembered(this.#name) ?? "[]"));
        } catch {
            return [];
        }
    }

    /**
     * The things of each log in what was stored.
     * @param {unknown} written
     * @returns {[string, T[]][]}
     */
    in(written) {
        if (!Array.isArray(written)) return [];
        return written.slice(-MOST_LOGS).flatMap((entry) => {
            const [key, things] = Array.isArray(entry) ? entry : [];
            if (typeof key !== "string" || !Array.isArray(things)) return [];
            const known = things.map((thing) => this.#read(thing)).filter((thing) => thing !== null);
            return [[key, /** @type {T[]} */ (known).slice(0, this.#most)]];
        });
    }
}
