// axe-core finds nothing in any scene of the page: in both themes, with forced colours, magnified, and in a narrow window.

import { test } from "node:test";
import assert from "node:assert/strict";
import { onPage, openCorpus } from "./support/page.js";
import { axeFindings } from "./support/axe.js";
import { SCENES, preparing } from "./support/scenes.js";
import { until } from "./support/see.js";

/** How the page is looked at. A window of 1280 × 720 that is magnified n times has an nth of the pixels in each direction. */
const WAYS = {
    light: { colorScheme: "light" },
    dark: { colorScheme: "dark" },
    "forced colours": { forcedColors: "active" },
    "200 %": { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 },
    "400 %, dark": { viewport: { width: 320, height: 180 }, deviceScaleFactor: 4, colorScheme: "dark" },
    narrow: { viewport: { width: 320, height: 640 } },
};

const scenes = Object.entries(SCENES);
const ways = Object.entries(WAYS);

/** Every scene in every way takes minutes. Otherwise each scene is looked at in one way, and each way has its share of the scenes. */
const isAll = process.env.EXTENT === "all";

scenes.forEach(([scene, reach], at) => {
    for (const [way, options] of isAll ? ways : [ways[at % ways.length]]) {
        onPage(`${scene}, ${way}: axe finds nothing`, { ...options, prepare: preparing(scene) }, async (page) => {
            await reach(page);
            assert.deepEqual(await axeFindings(page), []);
        });
    }
});

test("there are more scenes than ways, so that each way is tried", () => assert.ok(scenes.length > 2 * ways.length));

onPage("what is wrong is found: in the page, and in the viewer's shadow tree", {}, async (page) => {
    await openCorpus(page, "threaded");
    await page.evaluate(() => {
        const { shadowRoot } = document.querySelector("ghc-eventlog-viewer");
        const [image, button, pale] = ["img", "button", "p"].map((name) => document.createElement(name));
        Object.assign(pale, { textContent: "hardly to be read" }).style.cssText = "color: #bbb; background: #fff";
        document.body.append(image);
        shadowRoot.querySelector(".log").prepend(button, pale);
    });
    const found = await until(
        () => axeFindings(page),
        (all) => all.length > 0,
    );
    const rules = new Set(found.map((line) => line.split(":")[0]));
    for (const rule of ["image-alt", "button-name", "color-contrast"]) assert.ok(rules.has(rule), `${rule}: ${[...rules]}`);
});
