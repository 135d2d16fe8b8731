// A log whose own time begins elsewhere on the page's axis: the page is built again with an offset for every log. It must look the same as
// the page without one, whatever the user does.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { bundle, pageOptions, web } from "../../web/bundling.js";
import { reachIn } from "./support/reach.js";
import { chooseTab, corpus, presetTab, state } from "./support/page.js";
import { select, until } from "./support/see.js";
import { LEFT, WIDTH, pressTimes } from "./support/view.js";
import { serve } from "./support/server.js";

const { CHROME, DIST } = process.env;

/** Some 18 minutes, in ns. */
const OFFSET = 2 ** 40;

/** Gives each new log the offset. */
const moved = {
    name: "moved",
    setup({ onLoad }) {
        onLoad({ filter: /\/web\/js\/state\.js$/ }, ({ path }) => {
            const text = readFileSync(path, "utf8");
            assert.equal(text.match(/offset: 0,/g)?.length, 1);
            return { contents: text.replace("offset: 0,", `offset: ${OFFSET},`) };
        });
    },
};

const folder = mkdtempSync(join(tmpdir(), "offset-"));
cpSync(DIST, folder, { recursive: true });
const { plugins, ...options } = pageOptions(folder);
await bundle({ ...options, plugins: [moved, ...plugins], entryPoints: [join(web, "js/main.js")] });
const servers = [await serve(DIST, "/"), await serve(folder, "/")];
const browser = await chromium.launch({ executablePath: CHROME, args: ["--no-sandbox", "--disable-background-networking"] });
after(async () => {
    await browser.close();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
});

/** What the user does, step by step; and whether the drawing may differ by a pixel, because the last digits of times do. */
const ACTS = [
    ["points at a lane", (page) => page.mouse.move(LEFT + WIDTH * 0.4, 150)],
    ["zooms in there", (page) => pressTimes(page, "w", 6)],
    ["goes on", (page) => pressTimes(page, "d", 2)],
    ["selects what is there", (page) => page.mouse.click(LEFT + WIDTH * 0.4, 150)],
    ["steps to the next", (page) => pressTimes(page, ".", 2)],
    ["steps to the track below", (page) => page.keyboard.press("Shift+ArrowDown")],
    ["fits it", (page) => page.keyboard.press("f")],
    ["selects its time", (page) => page.keyboard.press("r")],
    ["shows all", (page) => page.keyboard.press("0")],
    ["selects another time", (page) => select(page, LEFT + 200, LEFT + 600, 150)],
    ["zooms to it", (page) => page.keyboard.press("Enter"), "nearly"],
    ["clears it", (page) => page.keyboard.press("Escape")],
    ["follows a figure to its moment", (page) => page.click("#drawer button.place"), "nearly"],
    ["opens the findings", (page) => chooseTab(page, "findings"), "nearly"],
    ["sees the longest run", (page) => page.click('log-findings .account-bar [data-part="running_ns"]'), "nearly"],
    ["returns", (page) => page.keyboard.press("Escape"), "nearly"],
];

/** All texts and drawings, once nothing changes. */
async function seen(page) {
    let last = Buffer.alloc(0);
    const picture = await until(
        async () => {
            await page.waitForTimeout(150);
            const [before, now] = [last, await page.screenshot()];
            last = now;
            return { now, isStill: before.equals(now) };
        },
        ({ isStill }) => isStill,
    );
    const texts = await page.evaluate(() =>
        // A hidden tooltip keeps the text that it had, if that came before it was hidden.
        ["#tooltip:not([hidden])", "#details", "#drawer", "#announcer"].map((part) =>
            document.querySelector(part)?.textContent.replace(/\s+/g, " "),
        ),
    );
    return { texts, picture: picture.now };
}

/** The result of a function on each of the two pages, with a log open. */
async function onBoth(body) {
    const found = [];
    for (const { url } of servers) {
        const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
        await page.addInitScript(reachIn);
        await page.addInitScript(presetTab, "summary");
        const troubles = [];
        page.on("pageerror", (error) => troubles.push(error.stack));
        try {
            await page.goto(url);
            await state(page, "empty");
            await page.setInputFiles("#open-file", corpus("threaded"));
            await state(page, "ready");
            found.push(await body(page));
            assert.deepEqual(troubles, []);
        } finally {
            await page.close();
        }
    }
    return found;
}

test("a log with an offset is drawn, asked and described like one without", async () => {
    const [plain, offset] = await onBoth(async (page) => {
        const steps = [["opens", await seen(page)]];
        for (const [name, act, nearly] of ACTS) {
            await act(page);
            steps.push([name, await seen(page), nearly]);
        }
        return steps;
    });
    const distinct = new Set(plain.map(([, { picture }]) => picture.toString("base64")));
    assert.ok(distinct.size > ACTS.length - 2, "each of them changes what is seen");
    for (const [at, [name, { texts, picture }, nearly]] of plain.entries()) {
        assert.deepEqual(offset[at][1].texts, texts, name);
        assert.ok(nearly || offset[at][1].picture.equals(picture), `${name}: it is drawn elsewhere`);
    }
});
