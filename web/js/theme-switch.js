// Light and dark: as the system has it, until its user says otherwise.

import { follow } from "./store.js";
import { shownOf } from "./state.js";
import { mark } from "./stage.js";
import { readTheme } from "./theme.js";

/** @typedef {"system" | "light" | "dark"} Choice */

/** @type {Choice[]} */
const CHOICES = ["system", "light", "dark"];
const KEY = "ghc-eventlog-viewer.theme";

/**
 * Keeps to a choice of colours. That of a page's own viewer is remembered, and the same in every tab; beside other content it
 * is the element's `theme`.
 * @param {import("./context.js").Context} context
 */
export function followTheme({ stage, store, timeline }) {
    const { host, own, signal } = stage;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
        const { colours } = store.value;
        mark(stage, "theme", colours === "system" ? (dark.matches ? "dark" : "light") : colours);
        store.set({ theme: readTheme(host) });
        if (shownOf(store.value).log?.status.extent) timeline.outdated();
    };
    dark.addEventListener("change", apply, { signal });
    // Another tab has chosen.
    const heard = (/** @type {StorageEvent} */ { key }) => {
        if (key === null || key === KEY) store.set({ colours: remembered() });
    };
    if (own) addEventListener("storage", heard, { signal });
    follow(store, ({ colours }) => [colours], apply);
}

/**
 * What is chosen at first.
 * @param {Pick<import("./stage.js").Stage, "host" | "own">} around
 */
export function firstChoiceOf({ host, own }) {
    return own ? remembered() : choiceOf(host.getAttribute("theme"));
}

/**
 * Goes through the choices.
 * @param {Pick<import("./context.js").Context, "stage" | "store">} context
 */
export function chooseNext({ stage, store }) {
    const colours = CHOICES[(CHOICES.indexOf(store.value.colours) + 1) % CHOICES.length];
    store.set({ colours });
    if (stage.own) remember(colours);
}

/**
 * @param {string | null} text anybody's
 * @returns {Choice}
 */
export function choiceOf(text) {
    return CHOICES.find((choice) => choice === text) ?? "system";
}

/** Pages from a file may have no storage. */
function remembered() {
    try {
        return choiceOf(localStorage.getItem(KEY));
    } catch {
        return "system";
    }
}

/** @param {string} choice */
function remember(choice) {
    try {
        localStorage.setItem(KEY, choice);
    } catch {
        // Then it lasts as long as the page.
    }
}
