// The help, and names for screen readers.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { onPage, openCorpus } from "./support/page.js";
import { readCorpus } from "./support/eventlog.js";
import { shown, tells, until, walk } from "./support/see.js";

const KEYS = [
    "W",
    "S",
    "+",
    "−",
    "A",
    "D",
    "←",
    "→",
    "↑",
    "↓",
    "F",
    "0",
    "Enter",
    "Esc",
    ".",
    ",",
    "?",
    "click",
    "drag",
    "wheel",
    "Ctrl+wheel",
    "pinch",
    "Shift+wheel",
    "Shift+drag",
    "Shift+↓",
    "Shift+↑",
    "L",
];

onPage("? and a click beside it close the help as well", {}, async (page) => {
    const closings = [() => page.keyboard.press("?"), () => page.mouse.click(5, 5)];
    for (const close of closings) {
        await page.keyboard.press("?");
        await page.waitForSelector("#help[open]");
        await page.click("#help h2");
        assert.ok(await page.$("#help[open]"), "a click into it closes it");
        await close();
        await page.waitForSelector("#help:not([open])", { state: "attached" });
    }
});

onPage("? opens a list of all keys and gestures, and Esc closes it", {}, async (page) => {
    for (const open of [() => page.keyboard.press("?"), () => page.click("#help-button")]) {
        await open();
        await page.waitForSelector("#help[open]");
        const rows = await page.$$eval("#keys tr", (all) =>
            all.map((row) => [[...row.querySelectorAll("kbd")].map((key) => key.textContent), row.lastChild.textContent]),
        );
        assert.deepEqual(
            KEYS.filter((key) => !rows.some(([keys]) => keys.includes(key))),
            [],
            "missing",
        );
        for (const [keys, what] of rows) assert.ok(what.length > 3, `${keys}: ${what}`);
        await page.keyboard.press("Escape");
        await page.waitForSelector("#help:not([open])", { state: "attached" });
    }
});

onPage("the help is read from its start, even if it must be scrolled", { viewport: { width: 800, height: 300 } }, async (page) => {
    await page.keyboard.press("?");
    await page.waitForSelector("#help[open]");
    const { top, more } = await page.$eval("#help", (help) => ({ top: help.scrollTop, more: help.scrollHeight > help.clientHeight }));
    assert.ok(top === 0 && more, String([top, more]));
});

onPage("closing a log is announced, and the focus goes to the button for opening one", {}, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.click("#example");
    await page.waitForSelector('html[data-state="ready"]', { state: "attached" });
    assert.equal(await focused(), "timeline");
    await page.click("#close");
    await page.waitForFunction(() => document.getElementById("announcer").textContent.endsWith(" is closed"));
    assert.equal(await focused(), "open-file");
});

onPage("the help says what each colour of a lane means", {}, async (page) => {
    const folder = join(import.meta.dirname, "../../crates/ghc-eventlog-model/src/tracks");
    const sources = readdirSync(folder)
        .filter((name) => name.endsWith(".rs"))
        .map((name) => readFileSync(join(folder, name), "utf8"));
    // Except names of single spans that are not on a lane.
    const states = sources.flatMap((source) => [
        ...source.matchAll(/(?<!SpanInfo::of\([^;]*)State \{ name: "([^"]+)", role: "([^"]+)" \}/g),
    ]);
    assert.ok(states.length > 10, "they are written otherwise now");
    await page.keyboard.press("?");
    const told = await page.$$eval("#colours dt", (all) =>
        all.map((part) => [part.textContent.trim(), part.firstElementChild.style.background]),
    );
    const colours = new Map(told.map(([name, colour]) => [colour, name]));
    // A task's lane has one colour and a label; two states are hatched; a minor collection has the colour of GC working.
    const alike = {
        accent: null,
        hatch: "hatched",
        idle: "idle",
        "gc-working": "GC working",
        foreign: "foreign call",
        "foreign-of-runtime": "foreign call of the runtime",
    };
    for (const [, name, role] of states) {
        const expected = role in alike ? alike[role] : name;
        if (expected) assert.equal(colours.get(`var(--${role})`), expected);
    }
});

onPage(
    "the help has the licences of bundled packages, loaded when the user wants to read them",
    { reads: ["licences.txt"] },
    async (page) => {
        const asked = [];
        // The second part of the wasm comes when the page is at rest, whatever the user does.
        const isWasm = (url) => url.endsWith(".wasm");
        page.on("request", (request) => isWasm(request.url()) || asked.push(request.url().split("/").at(-1)));
        await page.keyboard.press("?");
        await page.waitForSelector("#help[open]");
        assert.deepEqual(asked, []);
        await page.click("#licences summary");
        const text = await page.waitForSelector("#licences pre").then((part) => part.textContent());
        for (const name of ["lit", "wasm-bindgen", "zip", "ruzstd"]) assert.match(text, new RegExp(`^${name} \\d`, "m"));
        assert.match(text, /Permission is hereby granted/);
        assert.deepEqual(asked, ["licences.txt"]);
    },
);

onPage("? opens the help where its key is another one than here", {}, async (page) => {
    // A German keyboard: "?" is on the key where others have the minus.
    const question = { key: "?", code: "Minus", shiftKey: true, bubbles: true };
    await page.evaluate((event) => document.body.dispatchEvent(new KeyboardEvent("keydown", event)), question);
    await page.waitForSelector("#help[open]");
});

onPage("German + and - zoom, and [ needs AltGr, which Windows reports as Ctrl and Alt", {}, async (page) => {
    await openCorpus(page, "threaded");
    const press = (event) =>
        page.evaluate((event) => document.body.dispatchEvent(new KeyboardEvent("keydown", { ...event, bubbles: true })), event);
    const width = async () => {
        const { from, to } = await shown(page);
        return to - from;
    };
    await press({ key: "+", code: "BracketRight" });
    await until(width, (width) => width < 0.75);
    await press({ key: "-", code: "Slash" });
    await until(width, (width) => width > 0.99);
    await page.keyboard.press(".");
    await page.waitForSelector("#details h2");
    await press({ key: "[", code: "Digit8", ctrlKey: true, altKey: true });
    await page.waitForFunction(() => /woke|select/i.test(document.getElementById("announcer").textContent));
});

onPage("the help names keys as the reader's keyboard does", {}, async (page) => {
    const french = [
        ["KeyW", "z"],
        ["KeyA", "q"],
        ["KeyS", "s"],
        ["BracketLeft", "^"],
    ];
    await page.evaluate((keys) => {
        Object.defineProperty(navigator, "keyboard", { value: { getLayoutMap: async () => new Map(keys) } });
    }, french);
    await page.keyboard.press("?");
    const names = () => page.$$eval("#keys tr", (rows) => rows.map((row) => [row.lastChild.textContent, row.firstChild.textContent]));
    const all = new Map(await until(names, (rows) => rows.some(([, keys]) => keys.includes("Z"))));
    assert.equal(all.get("zoom in"), "Z +");
    assert.equal(all.get("move left"), "Q ←");
    assert.equal(all.get("to the thread that woke this one up"), "[");
});

onPage("a log is said to be open, and all its tracks are within reach of the keys", {}, async (page) => {
    await openCorpus(page, "threaded");
    const spoken = (text) => page.waitForFunction((text) => document.getElementById("announcer").textContent.startsWith(text), text);
    await spoken("log.eventlog is open");
    await page.keyboard.press(".");
    await spoken("Capability 0: ");
    const heap = ["Live data", "Heap size", "Allocation", "Cap 0 alloc", "Cap 1 alloc", "Cap 2 alloc"];
    for (const name of ["Capability 1", "Capability 2", "Collections", "GC sync", "GC requests", ...heap, "Cap 2 alloc"]) {
        await page.keyboard.press("Shift+ArrowDown");
        await spoken(`${name}: `);
    }
    await page.keyboard.press("Shift+ArrowUp");
    await spoken("Cap 1 alloc: ");
});

onPage("L scales lines to what is in view, and back; the page remembers it", { restarts: true }, async (page) => {
    await openCorpus(page, "threaded");
    await page.waitForFunction(() => [...document.querySelectorAll("#headers .name")].some((name) => name.textContent === "Allocation"));
    /** The rows of pixels between a line and its row's top, in the middle of the view. */
    const free = () =>
        page.evaluate(() => {
            const header = [...document.querySelectorAll("#headers .track")].find(
                (one) => one.firstElementChild.textContent === "Allocation",
            );
            const canvas = document.getElementById("canvas");
            const [row, box] = [header.getBoundingClientRect(), canvas.getBoundingClientRect()];
            const { data } = canvas
                .getContext("2d")
                .getImageData(Math.round(box.width * 0.6), Math.round(row.top - box.top), 1, Math.round(row.height));
            const [red, green, blue] = [0x7b, 0x4f, 0xb3];
            for (let at = 0; at < data.length; at += 4) {
                if (Math.abs(data[at] - red) + Math.abs(data[at + 1] - green) + Math.abs(data[at + 2] - blue) < 120) return at / 4;
            }
            return -1;
        });
    // Where little is allocated, as at the end of a program.
    for (const key of ["w", "w", "w", "d", "d", "d", "d"]) await page.keyboard.press(key);
    const low = await until(free, (free) => free >= 0);
    await page.keyboard.press("l");
    await page.waitForFunction(() => document.getElementById("announcer").textContent === "Lines are scaled to what is in view");
    const high = await until(free, (free) => free >= 0 && free < low);
    assert.ok(high < low, `${high} below the row's top, and ${low}`);
    await page.reload();
    await openCorpus(page, "threaded");
    await page.waitForSelector("html[data-state=ready]");
    // It was "in view": two others come before the first one again.
    for (const text of ["Lines of one unit are scaled alike", "Each line is scaled to its own", "Lines are scaled to the whole log"]) {
        await page.keyboard.press("l");
        await page.waitForFunction((text) => document.getElementById("announcer").textContent.startsWith(text), text);
        assert.ok((await page.textContent("#noted")).startsWith(text));
    }
});

onPage("keys do nothing to the log while the help is open", {}, async (page) => {
    await openCorpus(page, "single");
    await page.keyboard.press("?");
    await page.waitForSelector("#help[open]");
    for (const key of ["w", "w", "w", "."]) await page.keyboard.press(key);
    await page.keyboard.press("Escape");
    await page.waitForSelector("#help:not([open])", { state: "attached" });
    const { from, to } = await shown(page);
    assert.ok(from === 0 && to === 1);
    const [{ fields }] = await walk(page, "Period", 1);
    assert.ok(tells(fields.Start, readCorpus("single").lanes.get(0)[0].start), "the first step goes to the first span");
});

onPage("every control has a name, and every canvas of its own says where its numbers are", {}, async (page) => {
    await openCorpus(page, "threaded");
    const nameless = await page.$$eval("button, input, [role=img], [role=application], section", (parts) => {
        const name = (part) =>
            part.ariaLabel || part.textContent.trim() || document.getElementById(part.getAttribute("aria-labelledby"))?.textContent;
        return parts.filter((part) => !name(part)).map((part) => part.outerHTML);
    });
    assert.deepEqual(nameless, []);
    assert.match(await page.getAttribute("#overview", "aria-label"), /table/);
    assert.equal((await page.$$("#summary table[aria-label=Capabilities] tbody tr")).length, 3);
});

onPage("the help leads to the documents, which are beside the page", {}, async (page) => {
    await page.keyboard.press("?");
    const links = await page.$$eval("#documents a", (all) => all.map(({ href, textContent }) => [textContent, href]));
    assert.deepEqual(
        links.map(([text]) => text),
        ["Guide", "Reading the page"],
    );
    const { DIST } = process.env;
    for (const [, href] of links) assert.ok(existsSync(join(DIST, "docs", href.split("/docs/")[1])), href);
});
