// The keyboard: runs the commands of pressed keys.

import { commandOf } from "./pressed.js";

/**
 * Runs a key's command.
 * @param {import("./context.js").Context} context
 */
export function followKeys(context) {
    const { reach, root, signal } = context.stage;
    const isMac = /Mac|iP/.test(navigator.platform);
    /** @param {Event} event */
    const pressed = (event) => {
        if (event instanceof KeyboardEvent) run(event);
    };
    /** @param {KeyboardEvent} event */
    const run = (event) => {
        // Outside of a shadow tree, the target of its events is its host.
        const [target] = event.composedPath();
        if (isTyping(target)) return;
        if (root.querySelector("dialog[open]")) return;
        const command = commandOf(event, isMac);
        if (!command) return;
        if (isControl(target) && ["Enter", "Space"].includes(event.code)) return;
        if (isScrolled(target) && /^(Arrow|Page)/.test(event.code)) return;
        if (event.code.startsWith("Page") && pageScrolls()) return;
        event.preventDefault();
        command.run(context);
    };
    reach.addEventListener("keydown", pressed, { signal });
}

/**
 * Whether a key press is the browser's for printing: by the character that the key writes, as browsers do it; on layouts with other letters
 * by its place.
 * @param {KeyboardEvent} event
 */
export function isPrint({ key, code, ctrlKey, metaKey, altKey, shiftKey }) {
    const isP = key.toLowerCase() === "p" || (code === "KeyP" && !/^[a-z]$/i.test(key));
    return isP && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/**
 * Whether a key press in a field is the field's own. Others reach the page: printing, and going to another part of it.
 * @param {KeyboardEvent} event
 */
export const isOfField = (event) => !isPrint(event) && event.code !== "F6";

/** @param {EventTarget | null} target */
function isTyping(target) {
    return target instanceof HTMLElement && target.matches("input:not([type=file]), textarea, select");
}

/**
 * Whether keys that scroll do so for the element with the focus.
 * @param {EventTarget | null} target
 */
function isScrolled(target) {
    return target instanceof Element && target.closest(".panel, .details, .notices, .start") !== null;
}

/** Whether the browser's page scrolls, as in a low window. */
function pageScrolls() {
    const { body, documentElement } = document;
    return [body, documentElement].some(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1);
}

/** @param {EventTarget | null} target */
function isControl(target) {
    return target instanceof HTMLElement && target.matches("button, a, summary, input");
}
