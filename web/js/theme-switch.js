// Light and dark: as the system has it, until its user says otherwise.

import { mark } from "./stage.js";
import { readTheme } from "./theme.js";

/** @typedef {"system" | "light" | "dark"} Choice */

/** @type {Choice[]} */
const CHOICES = ["system", "light", "dark"];
const KEY = "ghc-eventlog-viewer.theme";

/**
 * Keeps to a choice of colours. That of a page's own viewer is remembered, and the same in every tab; beside other content it
 * is the element's `theme`.
 * @param {import("./stage.js").Stage} stage
 * @param {(theme: import("./theme.js").Theme, choice: Choice) => void} changed
 * @returns {{ next: () => void, choose: (choice: string | null) => void }} `next` goes through the choices
 */
export function followTheme(stage, changed) {
    const { host, own, signal } = stage;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let choice = own ? remembered() : choiceOf(host.getAttribute("theme"));
    const apply = () => {
        mark(stage, "theme", choice === "system" ? (dark.matches ? "dark" : "light") : choice);
        changed(readTheme(host), choice);
    };
    /** @param {string | null} wanted */
    const choose = (wanted) => {
        choice = choiceOf(wanted);
        apply();
    };
    const next = () => {
        choose(CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length]);
        if (own) remember(choice);
    };
    dark.addEventListener("change", apply, { signal });
    // Another tab has chosen.
    const heard = (/** @type {StorageEvent} */ { key }) => {
        if (key === null || key === KEY) choose(remembered());
    };
    if (own) addEventListener("storage", heard, { signal });
    apply();
    return { next, choose };
}

/**
 * @param {string | null} text anybody's
 * @returns {Choice}
 */
function choiceOf(text) {
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
