// Every scene looks as in its reference picture, in light and dark, in windows of several sizes. The pictures have half the size of the
// page, and boxes for letters (`support/boxes.js`), so that they are the same on all machines.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { onPage, openCorpus } from "./support/page.js";
import { prepareBoxes, useBoxes } from "./support/boxes.js";
import { KEPT, RENEWS, TOLERANCE, compared, difference, takenOf } from "./support/reference.js";
import { DIALOGS } from "./support/scenes-of-dialogs.js";
import { SEARCHING } from "./support/scenes-of-searching.js";
import { SCENES, preparing } from "./support/scenes.js";

const THEMES = ["light", "dark"];

/** The windows, and what is looked at in each: everything in the usual one, elsewhere what has more room, or less, there. */
const WINDOWS = {
    1280: { size: { width: 1280, height: 720 }, scenes: Object.keys(SCENES) },
    1920: {
        size: { width: 1920, height: 1080 },
        scenes: [
            "start",
            "findings tab",
            "summary tab",
            "gc tab",
            "heap profile",
            "flame graph",
            "details of an event",
            "selection",
            "help",
            "events tab",
            "wake-ups of a thread",
        ],
    },
    390: {
        size: { width: 390, height: 844 },
        scenes: [
            "start",
            "error",
            "damage",
            "open finding",
            "summary tab",
            "threads tab",
            "call tree",
            "details of an event",
            "suggestions",
            "range",
            "heap profile",
            "rows of threads",
            "arranged rows",
            "saved views",
            "hint of a first visit",
            "hint to drag",
            "gc tab",
            "wrong filter of events",
            "several notes",
            "no hits",
            "flame graph",
            "arranging rows",
            "folded groups",
            "menu of a row",
            "link to sources",
        ],
    },
};

/** What a clock decides is hidden: what a key has done is shown for some seconds. */
const STILL = "#noted { visibility: hidden; }";

const STILL_CONTEXT = { reducedMotion: "reduce", timezoneId: "UTC", locale: "en-US", deviceScaleFactor: 1 };

/** @param {string} scene */
const preparingBoth = (scene) => async (context) => {
    await prepareBoxes(context);
    await preparing(scene)(context);
};

/** They take minutes, so they are looked at with `cargo xtask test --all` only. */
const isAll = process.env.EXTENT === "all" || RENEWS;

const nameOf = (scene, window, theme) => `${scene.replaceAll(" ", "-")}-${window}-${theme}`;

/** Their colours are those of other scenes. */
const isLike = (scene) => scene in DIALOGS || scene in SEARCHING;

/** In which themes a scene is kept in a window: in both of them in the usual one, else in turns, which keeps the folder small. */
const themesOf = (window, at, scene) => (window === "1280" && !isLike(scene) ? THEMES : [THEMES[at % 2]]);

/**
 * The tabs scroll where they have no room for all: which are in view depends on when their counts have come.
 * @param {import("playwright-core").Page} page
 */
const centreTab = (page) => page.$$eval("#drawer [aria-selected=true][role=tab]", ([tab]) => tab?.scrollIntoView({ inline: "center" }));

const known = new Set();
for (const [window, { size, scenes }] of Object.entries(WINDOWS)) {
    scenes.forEach((scene, at) => {
        const themes = themesOf(window, at, scene);
        for (const theme of themes) known.add(`${nameOf(scene, window, theme)}.png`);
        if (!isAll) return;
        onPage(
            `${scene}, ${window} pixels wide, looks as before`,
            { ...STILL_CONTEXT, viewport: size, colorScheme: themes[0], prepare: preparingBoth(scene) },
            async (page) => {
                await useBoxes(page, STILL);
                await SCENES[scene](page);
                if (window === "390") await centreTab(page);
                const wrong = [];
                for (const theme of themes) {
                    await page.emulateMedia({ colorScheme: theme });
                    await page.waitForSelector(`html[data-theme=${theme}]`, { state: "attached" });
                    wrong.push(compared(nameOf(scene, window, theme), await takenOf(page)));
                }
                assert.equal(wrong.filter(Boolean).join("\n"), "");
            },
        );
    });
}

test("the scenes that are named here exist", () => {
    const named = Object.values(WINDOWS).flatMap(({ scenes }) => scenes);
    assert.deepEqual(
        named.filter((scene) => !(scene in SCENES)),
        [],
    );
});

test("every picture belongs to a scene", () => {
    assert.deepEqual(
        readdirSync(KEPT).filter((name) => !known.has(name)),
        [],
    );
});

/** Changes that nobody asked for: small ones, each in one place. */
const CHANGES = {
    "other colours of the tracks": () => (document.querySelector("#canvas").style.filter = "hue-rotate(25deg)"),
    "a tab that is a little lower": () => (document.querySelector("#tab-summary").style.transform = "translateY(6px)"),
    "a button without a border": () => (document.querySelector("#close").style.borderColor = "transparent"),
    "a paler text": () => (document.querySelector("#facts").style.opacity = "0.4"),
};

onPage(
    "small changes are found, each of them, and without one there is none",
    { ...STILL_CONTEXT, restarts: true, prepare: prepareBoxes },
    async (page) => {
        await useBoxes(page, STILL);
        await openCorpus(page, "threaded");
        const before = await takenOf(page);
        assert.equal(difference(before, await takenOf(page)).share, 0);
        for (const [what, change] of Object.entries(CHANGES)) {
            await page.evaluate(change);
            const after = await takenOf(page);
            const { share } = difference(before, after);
            assert.ok(share > TOLERANCE, `${what}: ${share}`);
            await page.reload();
            await page.waitForSelector('html[data-state="empty"]', { state: "attached" });
            await useBoxes(page, STILL);
            await openCorpus(page, "threaded");
        }
    },
);
