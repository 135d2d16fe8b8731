// Which command a pressed key runs, on any keyboard. Letters, digits and arrows are found by their place, so that W, A, S and D lie as they
// do on other keyboards; punctuation by the character that is written, which is on other keys elsewhere.

import { BY_CHARACTERS, BY_KEYS } from "./commands/index.js";

/** @typedef {import("./commands/command.js").Command} Command */

/**
 * @typedef {Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey" | "getModifierState">} Press
 */

/**
 * The places of punctuation on a keyboard of the United States: for a key that writes none of it, since its letters are not Latin.
 * @type {Record<string, string>}
 */
const PLACES = { Period: ".", Comma: ",", BracketLeft: "[", BracketRight: "]", Equal: "+", Minus: "-" };

/**
 * @param {Press} press
 * @param {boolean} isMac whether its Alt writes characters, as AltGr does elsewhere
 * @returns {Command | undefined}
 */
export function commandOf(press, isMac) {
    const { key, code, shiftKey, altKey, ctrlKey, metaKey } = press;
    if (writesThirdLevel(press, isMac)) return BY_CHARACTERS.get(key);
    // Keys with Ctrl belong to the browser, unless a command names Ctrl, which is Cmd on a Mac.
    if (ctrlKey || metaKey) return BY_KEYS.get(`Ctrl+${altKey ? "Alt+" : ""}${shiftKey ? "Shift+" : ""}${code}`);
    const held = `${altKey ? "Alt+" : ""}${shiftKey ? "Shift+" : ""}`;
    // Keys with Alt belong to the browser, unless a command names Alt.
    if (altKey) return BY_KEYS.get(held + code);
    const written = BY_CHARACTERS.get(characterOf(key, code));
    // Shift is ignored unless a command names it.
    const at = (/** @type {string} */ place) => BY_KEYS.get(held + place) ?? BY_KEYS.get(place);
    return written ?? at(code) ?? at(placeOfLetter(key, code));
}

/**
 * Whether AltGr, or what does its work, has chosen the character. Windows reports AltGr as Ctrl and Alt.
 * @param {Press} press
 * @param {boolean} isMac
 */
function writesThirdLevel(press, isMac) {
    if (press.metaKey || press.key.length !== 1) return false;
    return press.getModifierState("AltGraph") || (press.altKey && (press.ctrlKey || isMac));
}

/**
 * The character that a press writes. Where letters are not Latin, or nothing is known of the character, the place decides.
 * @param {string} key
 * @param {string} code
 */
function characterOf(key, code) {
    const isKnown = key !== "" && key !== "Unidentified";
    return isKnown && !isOtherLetter(key) ? key : (PLACES[code] ?? key);
}

/**
 * A letter that is not at a letter's place, as M is in France, can be reached by its name.
 * @param {string} key
 * @param {string} code
 */
function placeOfLetter(key, code) {
    return !code.startsWith("Key") && /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : code;
}

/** @param {string} key */
const isOtherLetter = (key) => /^\p{Letter}$/u.test(key) && !/\p{Script=Latin}/u.test(key);

/**
 * The name of a key of the help on the reader's keyboard.
 * @param {string} name such as "Shift+M" or "["
 * @param {ReadonlyMap<string, string>} layout the characters of physical keys; empty if the browser does not say
 */
export function nameOnKeyboard(name, layout) {
    const [, held, last] = /^(.*\+)?(.)$/su.exec(name) ?? [];
    if (last === undefined) return name;
    const place = /^[A-Z]$/.test(last) ? `Key${last}` : Object.keys(PLACES).find((code) => PLACES[code] === last.replace("−", "-"));
    const written = layout.get(place ?? "");
    if (!written) return name;
    const isLetter = /^\p{Letter}$/u.test(written);
    // Punctuation has its own name wherever it is, unless the keyboard's letters are not Latin.
    return isLetter && (place?.startsWith("Key") || isOtherLetter(written)) ? `${held ?? ""}${written.toUpperCase()}` : name;
}
