// Which command a key runs on keyboards of several countries.

import { test } from "node:test";
import assert from "node:assert/strict";
import { BY_CHARACTERS, COMMANDS } from "../../web/js/commands/index.js";
import { commandOf, nameOnKeyboard } from "../../web/js/pressed.js";

/** The id of the command of a key: `held` are modifiers, AltGraph among them. */
function ran(key, code, held = [], isMac = false) {
    const isHeld = (name) => held.includes(name);
    const press = {
        key,
        code,
        shiftKey: isHeld("Shift"),
        altKey: isHeld("Alt"),
        ctrlKey: isHeld("Control"),
        metaKey: isHeld("Meta"),
        getModifierState: isHeld,
    };
    return commandOf(press, isMac)?.id;
}

const PRESSES = {
    "United States": [
        ["w", "KeyW", [], "view.zoom-in"],
        ["W", "KeyW", ["Shift"], "view.zoom-in"],
        ["=", "Equal", [], "view.zoom-in"],
        ["+", "Equal", ["Shift"], "view.zoom-in"],
        ["-", "Minus", [], "view.zoom-out"],
        ["+", "NumpadAdd", [], "view.zoom-in"],
        ["-", "NumpadSubtract", [], "view.zoom-out"],
        [".", "Period", [], "step.next"],
        ["[", "BracketLeft", [], "step.woken-by"],
        ["M", "KeyM", ["Shift"], "markers.turn"],
        ["ArrowLeft", "ArrowLeft", ["Alt", "Shift"], "range.start-left"],
        ["ArrowLeft", "ArrowLeft", ["Alt"], undefined],
        ["w", "KeyW", ["Control"], undefined],
        ["P", "KeyP", ["Control", "Shift"], "commands.show"],
        ["p", "KeyP", ["Control"], undefined],
        ["P", "KeyP", ["Control", "Alt", "Shift"], undefined],
        [">", "Period", ["Shift"], "commands.show"],
        ["/", "Slash", [], "search.show"],
        [".", "Period", ["Meta"], undefined],
        [".", "Period", ["Alt"], undefined],
    ],
    Germany: [
        ["+", "BracketRight", [], "view.zoom-in"],
        ["-", "Slash", [], "view.zoom-out"],
        ["ü", "BracketLeft", [], undefined],
        ["ß", "Minus", [], undefined],
        ["?", "Minus", ["Shift"], "help.show"],
        ["=", "Digit0", ["Shift"], "view.zoom-in"],
        ["[", "Digit8", ["AltGraph"], "step.woken-by"],
        ["[", "Digit8", ["AltGraph", "Control", "Alt"], "step.woken-by"],
        ["]", "Digit9", ["Control", "Alt"], "step.woke"],
        // Not the command of the key without AltGr.
        ["}", "Digit0", ["AltGraph"], undefined],
        ["Dead", "Equal", [], undefined],
    ],
    France: [
        ["z", "KeyW", [], "view.zoom-in"],
        ["q", "KeyA", [], "view.left"],
        [".", "Comma", ["Shift"], "step.next"],
        [";", "Comma", [], undefined],
        [",", "KeyM", [], "step.previous"],
        ["?", "KeyM", ["Shift"], "help.show"],
        ["M", "Semicolon", ["Shift"], "markers.turn"],
        ["à", "Digit0", [], "view.all"],
        ["-", "Digit6", [], "view.zoom-out"],
        ["[", "Digit5", ["AltGraph", "Control", "Alt"], "step.woken-by"],
    ],
    Russia: [
        ["ц", "KeyW", [], "view.zoom-in"],
        ["х", "BracketLeft", [], "step.woken-by"],
        ["ю", "Period", [], "step.next"],
        [".", "Slash", [], "step.next"],
        ["-", "Minus", [], "view.zoom-out"],
    ],
    Dvorak: [
        ["w", "Comma", [], "view.zoom-in"],
        [",", "KeyW", [], "step.previous"],
        ["o", "KeyS", [], "view.zoom-out"],
    ],
};
for (const [country, presses] of Object.entries(PRESSES)) {
    test(`the keys of a keyboard: ${country}`, () => {
        for (const [key, code, held, id] of presses) assert.equal(ran(key, code, held), id, `${[...held, code]} writes ${key}`);
    });
}

test("on a Mac, Alt writes characters", () => {
    assert.equal(ran("[", "Digit5", ["Alt"], true), "step.woken-by");
    assert.equal(ran("∑", "KeyW", ["Alt"], true), undefined);
    assert.equal(ran("ArrowLeft", "ArrowLeft", ["Alt", "Shift"], true), "range.start-left");
});

test("a key of which only the place is known runs the command of that place", () => {
    assert.equal(ran("", "Period"), "step.next");
    assert.equal(ran("Unidentified", "KeyW"), "view.zoom-in");
});

test("commands by character are bound to one character that is no letter", () => {
    for (const character of BY_CHARACTERS.keys()) assert.match(character, /^\P{Letter}$/u);
});

test("keys have the names of the reader's keyboard", () => {
    const french = new Map([
        ["KeyW", "z"],
        ["KeyA", "q"],
        ["KeyM", ","],
        ["BracketLeft", "^"],
        ["Digit0", "à"],
    ]);
    const named = (layout, ...names) => names.map((name) => nameOnKeyboard(name, layout));
    assert.deepEqual(named(french, "W", "A", "Shift+M", "[", "0", "Shift+←", "Enter"), ["Z", "Q", "Shift+M", "[", "0", "Shift+←", "Enter"]);
    const russian = new Map([
        ["KeyW", "ц"],
        ["BracketLeft", "х"],
        ["Minus", "-"],
        ["KeyM", "ь"],
    ]);
    assert.deepEqual(named(russian, "W", "[", "−", "Shift+M"), ["Ц", "Х", "−", "Shift+Ь"]);
    const german = new Map([["BracketLeft", "ü"]]);
    assert.deepEqual(named(german, "["), ["["]);
});

test("without a layout, all keys keep the names that they have", () => {
    const keys = COMMANDS.flatMap((command) => command.keys.split(" "));
    assert.deepEqual(
        keys.map((key) => nameOnKeyboard(key, new Map())),
        keys,
    );
});
