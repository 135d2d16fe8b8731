// Three hints on a first visit, one after the other: how to begin, that dragging selects a range, and where the keys are listed. Each goes
// when the user has done what it says, or by Esc, and never comes back. Not in other pages' viewers, nor in saved pages.

import { HAS_EXAMPLE } from "./parts.js";
import { isAnythingRemembered, remember, remembered } from "./remembered.js";
import { follow } from "./store.js";
import { shownOf } from "./state.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {"open" | "drag" | "help"} Hint */

/** The hints, in their order. @type {Hint[]} */
const HINTS = ["open", "drag", "help"];

const NAME = "hints";

/** Whether a finger points. */
const isFinger = () => globalThis.matchMedia?.("(pointer: coarse)").matches ?? false;

/**
 * @param {Hint} hint
 * @returns {string}
 */
export function hintText(hint) {
    switch (hint) {
        case "open":
            return "New here? Drop a log on this page, or try the example.";
        case "drag":
            return isFinger() ? "Press and hold, then drag, to select a range of time." : "Drag over the tracks to select a range of time.";
        case "help":
            return isFinger() ? "The button ? lists what you can do." : "Press ? to see all keys and gestures.";
    }
}

/** @param {Context} context */
export function followHints({ stage, store }) {
    if (!stage.own || !HAS_EXAMPLE) return;
    const left = leftAtStart();
    // A page that can remember nothing would show them each time.
    if (left.length === 0 || !keep(left)) return;
    store.set({ hints: left });
    const done = (/** @type {Hint} */ hint) => closeHint({ store }, hint);
    follow(
        store,
        (state) => [shownOf(state).log === null],
        (state) => shownOf(state).log && done("open"),
    );
    follow(
        store,
        ({ range }) => [range === null],
        ({ range }) => range && done("drag"),
    );
    stage.root.addEventListener("helpshown", () => done("help"), { signal: stage.signal });
}

/**
 * The hint to show now; none for most visits, and none that would cover what was looked for.
 * @param {Pick<import("./state.js").State, "hints" | "logs" | "shown" | "finding" | "span">} state
 * @returns {Hint | null}
 */
export function hintOf({ hints, finding, span, ...state }) {
    const [next = null] = hints;
    const { log, finished, search } = shownOf(state);
    // The later ones are about a log that has anything to drag over.
    return next === "open" || (next && finished && log?.status.extent && !finding && !span && !search) ? next : null;
}

/**
 * Takes a hint away for good.
 * @param {Pick<Context, "store">} context
 * @param {Hint | null} hint
 * @returns {boolean} whether it was there
 */
export function closeHint({ store }, hint) {
    const { hints } = store.value;
    if (!hint || !hints.includes(hint)) return false;
    const left = hints.filter((other) => other !== hint);
    keep(left);
    store.set({ hints: left });
    return true;
}

/** The hints that have not been seen: all on a first visit. @returns {Hint[]} */
function leftAtStart() {
    const written = remembered(NAME);
    if (written !== null) return HINTS.filter((hint) => written.split(" ").includes(hint));
    return isAnythingRemembered() ? [] : HINTS;
}

/**
 * @param {Hint[]} left
 * @returns {boolean} whether they are remembered
 */
function keep(left) {
    remember(NAME, left.join(" "));
    return remembered(NAME) === left.join(" ");
}
