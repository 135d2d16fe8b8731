// Light and dark: as the system has it, until its user says otherwise.

import { readTheme } from "./theme.js";

const CHOICES = ["system", "light", "dark"];
const NAMES = { system: "◐", light: "☀", dark: "☾" };
const KEY = "ghc-eventlog-viewer.theme";

/**
 * @param {HTMLButtonElement} button goes through the choices
 * @param {(theme: import("./theme.js").Theme) => void} changed
 */
export function followTheme(button, changed) {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let choice = remembered();
    const apply = () => {
        const theme = choice === "system" ? (dark.matches ? "dark" : "light") : choice;
        document.documentElement.dataset.theme = theme;
        button.textContent = NAMES[/** @type {keyof typeof NAMES} */ (choice)];
        button.title = `Colours: ${choice}`;
        changed(readTheme());
    };
    button.addEventListener("click", () => {
        choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
        remember(choice);
        apply();
    });
    dark.addEventListener("change", apply);
    // Another tab has chosen.
    addEventListener("storage", ({ key }) => {
        if (key !== null && key !== KEY) return;
        choice = remembered();
        apply();
    });
    apply();
}

/** Pages from a file may have no storage. */
function remembered() {
    try {
        const choice = localStorage.getItem(KEY) ?? "";
        return CHOICES.includes(choice) ? choice : "system";
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
