// Light and dark: by the system's setting, until the user chooses.

import { followOtherTabs, remember, remembered } from "./remembered.js";
import { follow } from "./store.js";
import { shownOf } from "./state.js";
import { mark } from "./stage.js";
import { readTheme } from "./theme.js";

/** @typedef {"system" | "light" | "dark"} Choice */

/** @type {Choice[]} */
export const CHOICES = ["system", "light", "dark"];
const NAME = "theme";

/**
 * Applies the choice of colours. A viewer that owns its page remembers it, and it is the same in every tab; beside other content, it is the
 * element's `theme`.
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
    if (own) followOtherTabs(NAME, () => store.set({ colours: choiceOf(remembered(NAME)) }), signal);
    follow(store, ({ colours }) => [colours], apply);
}

/**
 * The choice at first.
 * @param {Pick<import("./stage.js").Stage, "host" | "own">} around
 */
export function firstChoiceOf({ host, own }) {
    return choiceOf(own ? remembered(NAME) : host.getAttribute("theme"));
}

/**
 * The next choice.
 * @param {Pick<import("./context.js").Context, "stage" | "store">} context
 */
export function chooseNext(context) {
    choose(context, CHOICES[(CHOICES.indexOf(context.store.value.colours) + 1) % CHOICES.length]);
}

/**
 * @param {Pick<import("./context.js").Context, "stage" | "store">} context
 * @param {Choice} colours
 */
export function choose({ stage, store }, colours) {
    store.set({ colours });
    if (stage.own) remember(NAME, colours);
}

/**
 * @param {string | null} text may be anything
 * @returns {Choice}
 */
export function choiceOf(text) {
    return CHOICES.find((choice) => choice === text) ?? "system";
}
