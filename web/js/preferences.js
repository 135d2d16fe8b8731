// The state that a viewer begins with: no log is open; with the settings of its page and its user.

import { FIRST } from "./scaling.js";
import { FIRST_CLOCK } from "./clock.js";
import { firstChoiceOf } from "./theme-switch.js";
import { nothing } from "./state.js";
import { readTheme } from "./theme.js";
import { rememberedLinks } from "./sources/setting.js";
import { rememberedWords, wordsIn } from "./spans.js";

/** @typedef {Pick<import("./stage.js").Stage, "host" | "own">} Around */

/**
 * @param {Around} around
 * @returns {import("./state.js").State}
 */
export function firstState(around) {
    return {
        ...nothing(),
        theme: readTheme(around.host),
        colours: firstChoiceOf(around),
        scaling: FIRST,
        clock: FIRST_CLOCK,
        sources: rememberedLinks(around),
        overlaysOn: {},
        spanWords: spanWordsOf(null, around) ?? [],
        snaps: true,
        hints: [],
        link: null,
        requested: {},
    };
}

/**
 * The words from an attribute of the page; the user's, if there is none.
 * @param {string | null} words `BEGIN,END`, or more pairs
 * @param {Pick<Around, "own">} around
 * @returns {import("./spans.js").SpanWords[] | null} null if they are not pairs of words
 */
export function spanWordsOf(words, { own }) {
    if (words !== null) return wordsIn(words);
    return own ? rememberedWords() : [];
}
