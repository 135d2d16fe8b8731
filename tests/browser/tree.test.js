// Groups of tracks: folded and unfolded, remembered, scrolled through however many tracks they have.

import { after } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choose, onPage, openCorpus, state } from "./support/page.js";
import { writeLarge } from "./support/eventlog.js";
import { slow } from "./support/loading.js";
import { makeMany } from "./support/many.js";
import { described, lane, press, shown, tracks, until } from "./support/see.js";
import { workerOf } from "./support/worker.js";
import { isWhole, opened } from "./support/view.js";

const folder = mkdtempSync(join(tmpdir(), "eventlog-viewer-"));
after(() => rmSync(folder, { recursive: true }));

/** More capabilities than have a lane: 1024 of them. */
const MANY = "malformed-31-too-many-capabilities";

const heading = (page, name) => page.locator(".heading button", { hasText: name });
const expanded = (page, name) => heading(page, name).getAttribute("aria-expanded");
const names = async (page) => (await tracks(page)).map(([name]) => name);
/** Waits until `wanted` accepts the tracks in view. */
const seen = (page, wanted) => until(() => names(page), wanted);
const lanes = (all) => all.filter((name) => /^Capability \d+$/.test(name));

/** The number of pixels of a heading's row that have a role's colour, and the place of the first one, in the window. */
function pictureOf(page, name, role) {
    return page.evaluate(
        ({ name, role }) => {
            const header = [...document.querySelectorAll(".heading")].find((one) => one.textContent.includes(name));
            const canvas = document.getElementById("canvas");
            const [row, box] = [header.getBoundingClientRect(), canvas.getBoundingClientRect()];
            const hex = getComputedStyle(document.documentElement).getPropertyValue(`--${role}`).trim();
            const [x, y] = [row.right - box.left, row.top - box.top].map(Math.round);
            const { data } = canvas.getContext("2d").getImageData(x, y, canvas.width - x, Math.round(row.height));
            const wanted = Number.parseInt(hex.slice(1), 16);
            const found = [];
            for (let at = 0; at < data.length; at += 4) {
                if (((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]) === wanted) found.push((at / 4) % (canvas.width - x));
            }
            return { pixels: found.length, x: row.right + found[0], y: row.top + row.height / 2 };
        },
        { name, role },
    );
}

/** The number of pixels of a heading's row in the running colour. */
async function sparkline(page, name) {
    return (await pictureOf(page, name, "running")).pixels;
}

onPage("a click on a heading folds its group into a picture of it, another one unfolds it", {}, async (page) => {
    await opened(page);
    assert.equal(await expanded(page, "Capabilities"), "true");
    assert.equal(await sparkline(page, "Capabilities"), 0);
    await heading(page, "Capabilities").click();
    assert.deepEqual(lanes(await seen(page, (all) => !all.includes("Capability 0"))), []);
    assert.equal(await expanded(page, "Capabilities"), "false");
    assert.ok(
        (await until(
            () => sparkline(page, "Capabilities"),
            (pixels) => pixels > 500,
        )) > 500,
    );
    assert.doesNotMatch(await page.textContent("#announcer"), /selected/, "a click is no drag");
    await heading(page, "Capabilities").click();
    await seen(page, (all) => lanes(all).length === 3);
    assert.equal(await sparkline(page, "Capabilities"), 0);
});

onPage("what is drawn of a folded group can be hovered and clicked", {}, async (page) => {
    await opened(page);
    await heading(page, "Capabilities").click();
    await until(
        () => sparkline(page, "Capabilities"),
        (pixels) => pixels > 500,
    );
    const box = await page.locator(".heading", { hasText: "Capabilities" }).boundingBox();
    await page.mouse.move(700, box.y + box.height / 2);
    await page.waitForFunction(() => /Running [\d.]+ of 3 capabilities/.test(document.getElementById("tooltip").textContent));
    await heading(page, "Garbage collection").click();
    await seen(page, (all) => !all.includes("Collections"));
    const { x, y } = await until(
        () => pictureOf(page, "Garbage collection", "gc-working"),
        ({ pixels }) => pixels > 0,
    );
    await page.mouse.click(x, y);
    await page.waitForSelector("#details dl");
    assert.equal((await described(page, "#details")).fields.Track, "Collections");
    await press(page, ".");
    assert.equal((await described(page, "#details")).fields.Track, "Collections");
    assert.equal(await expanded(page, "Garbage collection"), "false", "what stands for it shows it");
});

onPage("a heading has the keys of a tree, and the view does not move", {}, async (page) => {
    await opened(page);
    await heading(page, "Capabilities").focus();
    for (const [key, open] of [
        ["Enter", false],
        ["Space", true],
        ["ArrowLeft", false],
        ["ArrowLeft", false],
        ["ArrowRight", true],
    ]) {
        await page.keyboard.press(key);
        await until(
            () => expanded(page, "Capabilities"),
            (now) => now === String(open),
        );
        await seen(page, (all) => all.includes("Capability 0") === open);
    }
    assert.ok(isWhole(await shown(page)));
    assert.ok(await heading(page, "Capabilities").evaluate((button) => button === document.activeElement), "the focus stays");
});

onPage("the tooltip of a heading goes when it is folded: other rows come to its place", {}, async (page) => {
    await opened(page);
    const said = () =>
        page.evaluate(() => (document.getElementById("tooltip").hidden ? "" : document.getElementById("tooltip").textContent));
    for (const act of [() => heading(page, "Garbage collection").click(), () => page.keyboard.press("ArrowRight")]) {
        await heading(page, "Garbage collection").hover();
        await until(said, (text) => /Click to (un)?fold/.test(text));
        await act();
        await until(said, (text) => !/Click to/.test(text));
        await page.mouse.move(5, 5);
    }
});

onPage("folded groups stay folded when the page is reloaded", { restarts: true }, async (page) => {
    await opened(page);
    await heading(page, "Garbage collection").click();
    await seen(page, (all) => !all.includes("Collections"));
    await page.reload();
    await state(page, "empty");
    await openCorpus(page, "threaded");
    await seen(page, (all) => all.includes("Capability 2"));
    assert.equal(await expanded(page, "Garbage collection"), "false");
    assert.ok(!(await names(page)).includes("Collections"));
});

onPage("a link sets what is folded, whatever the tab remembers", { restarts: true }, async (page) => {
    await page.evaluate(() => {
        sessionStorage.setItem("ghc-eventlog-viewer.folds", '{"caps":true}');
        location.hash = "#later=1&tracks=-gc,sparks";
    });
    await page.reload();
    await state(page, "empty");
    await openCorpus(page, "threaded");
    await seen(page, (all) => all.includes("Capability 2"));
    assert.equal(await expanded(page, "Capabilities"), "true");
    assert.equal(await expanded(page, "Garbage collection"), "false");
    // And another one, while the log is open.
    await page.evaluate(() => (location.hash = "#tracks=-caps"));
    await seen(page, (all) => all.includes("Collections") && lanes(all).length === 0);
});

const hash = (page) => page.evaluate(() => location.hash);

onPage("the address says what is folded, besides its other keys, and going back unfolds nothing", {}, async (page) => {
    await page.evaluate(() => (location.hash = "#later=1"));
    await opened(page);
    assert.equal(await hash(page), "#later=1");
    const entries = await page.evaluate(() => history.length);
    await heading(page, "Garbage collection").click();
    assert.equal(await hash(page), "#later=1&tracks=-gc");
    assert.equal(await page.evaluate(() => history.length), entries, "it is no view to come back to");
    await page.keyboard.press("w");
    await until(
        () => page.evaluate(() => history.length),
        (length) => length === entries + 1,
    );
    await heading(page, "Capabilities").click();
    await heading(page, "Garbage collection").click();
    assert.equal(await hash(page), "#later=1&tracks=gc,-caps");
    await page.goBack();
    await until(() => shown(page), isWhole);
    assert.equal(
        await until(
            () => hash(page),
            (now) => now.includes("caps"),
        ),
        "#later=1&tracks=gc,-caps",
    );
    assert.equal(await expanded(page, "Capabilities"), "false");
    assert.equal(await expanded(page, "Garbage collection"), "true");
});

onPage("a group that is folded while its log is read stays folded", {}, async (page) => {
    const path = join(folder, "large.eventlog");
    writeLarge(path, 60e6);
    await slow(page, 30);
    const folds = page.evaluate(
        () =>
            new Promise((done) => {
                const seen = [];
                let folded = 0;
                const look = () => {
                    const { state } = document.documentElement.dataset;
                    const button = document.querySelector('.heading button[data-group="caps"]');
                    if (button && folded++ === 0) button.click();
                    // A frame later it is.
                    if (folded > 2) seen.push([state, document.querySelector(".heading + .rows").children.length]);
                    if (state === "ready" && folded > 2) done(seen);
                    else requestAnimationFrame(look);
                };
                requestAnimationFrame(look);
            }),
    );
    await choose(page, path);
    const frames = await folds;
    assert.ok(frames.filter(([state]) => state === "loading").length > 2, "it was being read");
    assert.deepEqual([...new Set(frames.map(([, rows]) => rows))], [0]);
    assert.equal(await expanded(page, "Capabilities"), "false");
});

onPage("very many capabilities are folded at first; the last of them is in its place", {}, async (page) => {
    await openCorpus(page, MANY);
    await until(
        () => expanded(page, "Capabilities"),
        (open) => open === "false",
    );
    await heading(page, "Capabilities").click();
    await seen(page, (all) => all.includes("Capability 3"));
    await page.mouse.move(600, 300);
    await page.$eval("#timeline", (box) => (box.scrollTop = box.scrollHeight));
    const all = await seen(page, (all) => all.includes("Capability 1023"));
    assert.ok(all.length < 40, `${all.length} rows exist`);
    const { left, y, roles } = await until(
        () => lane(page, "Capability 1023"),
        ({ roles }) => roles.includes("running"),
    );
    const x = left + roles.indexOf("running") + 5;
    await page.mouse.move(x, y);
    await page.waitForFunction(() => /running/.test(document.getElementById("tooltip").textContent));
    await page.mouse.click(x, y);
    await page.waitForSelector("#details dl");
    assert.equal((await described(page, "#details")).fields.Track, "Capability 1023");
    assert.match(await page.textContent("#announcer"), /^Capability 1023: /);
    await page.keyboard.press("Shift+ArrowUp");
    await page.waitForFunction(() => /^Capability 1022: /.test(document.getElementById("announcer").textContent));
    await page.mouse.move(100, y);
    await page.waitForFunction(() => /^Capability 1023: /.test(document.getElementById("tooltip").textContent));
});

onPage("a heading stays in view above its tracks, covers rows that scroll under it, and folds them from there", {}, async (page) => {
    await openCorpus(page, MANY);
    await heading(page, "Capabilities").click();
    await seen(page, (all) => all.includes("Capability 3"));
    await page.$eval("#timeline", (box) => (box.scrollTop = 5015));
    await seen(page, (all) => all.includes("Capability 170"));
    const places = await page.evaluate(() => {
        const top = document.getElementById("timeline").getBoundingClientRect().top;
        return [...document.querySelectorAll(".heading")].map((one) => one.getBoundingClientRect().top - top);
    });
    assert.equal(places[0], 26, "right below the axis");
    const box = await page.locator("#timeline").boundingBox();
    // Hovering there hits the heading, not the row that it covers.
    await page.mouse.move(100, box.y + 30);
    await page.waitForFunction(() => /^Capabilities: 1.024/.test(document.getElementById("tooltip").textContent));
    await heading(page, "Capabilities").click();
    await seen(page, (all) => lanes(all).length === 0);
    await until(
        () => page.$eval("#timeline", (box) => box.scrollTop),
        (top) => top === 0,
    );
});

onPage(
    "the keys for tracks pass over folded groups, and unfold none; the heading marks a selection in a folded group",
    {},
    async (page) => {
        await opened(page);
        await page.locator("#timeline").focus();
        await page.keyboard.press("Shift+ArrowDown");
        await page.waitForFunction(() => /^Capability 0: /.test(document.getElementById("announcer").textContent));
        await heading(page, "Capabilities").click();
        await page.waitForSelector('.heading[aria-current="true"]');
        assert.match(await page.textContent('.heading[aria-current="true"]'), /Capabilities/);
        await page.locator("#timeline").focus();
        await page.keyboard.press("Shift+ArrowDown");
        await page.waitForFunction(() => /^Collections: /.test(document.getElementById("announcer").textContent));
        assert.equal(await expanded(page, "Capabilities"), "false");
        await page.keyboard.press("Shift+ArrowUp");
        await page.waitForTimeout(100);
        assert.equal((await described(page, "#details")).fields.Track, "Collections", "there is none above it");
    },
);

onPage("a step to another span unfolds the group that it is in", {}, async (page) => {
    await opened(page);
    await page.keyboard.press(".");
    await page.waitForFunction(() => /^Capability 0: /.test(document.getElementById("announcer").textContent));
    await heading(page, "Capabilities").click();
    await seen(page, (all) => !all.includes("Capability 0"));
    await page.locator("#timeline").focus();
    await page.keyboard.press(".");
    await seen(page, (all) => all.includes("Capability 0"));
    assert.equal(await expanded(page, "Capabilities"), "true");
});

onPage("a group without tracks is a line at the end, which says what the log lacks", {}, async (page) => {
    await openCorpus(page, "only-messages");
    const rows = await until(
        () => tracks(page),
        (rows) => rows.length > 2,
    );
    assert.deepEqual(rows.at(-1), ["Heap, Heap profile, Time profile, Sparks, Threads, Counters, Tasks", "none, or not logged"]);
    const { y, height } = await page.locator(".absent").boundingBox();
    await page.mouse.move(60, y + height / 2);
    await page.waitForFunction(
        () =>
            document.getElementById("tooltip").textContent ===
            "Heap: not logged · needs -lgHeap profile: not logged · needs -l -hTTime profile: not logged · needs -l -pSparks: not logged · needs -lpThreads: not logged · needs -lsCounters: noneTasks: not logged · needs -ls",
    );
    await page.mouse.move(700, y + height / 2);
    await page.waitForTimeout(200);
    assert.ok(await page.isHidden("#tooltip"));
});

onPage("200 000 tracks: those in view exist, by wheel and by scroll bar, down to the last one", {}, async (page) => {
    const session = await page.context().newCDPSession(page);
    await makeMany(await workerOf(session), 200_000);
    await session.detach();
    await openCorpus(page, "threaded");
    await seen(page, (all) => all.includes("Capability 3"));
    assert.ok(await page.$eval("#sizer", ({ offsetHeight }) => offsetHeight <= 4_000_000), "no browser could do more");
    await page.$eval("#timeline", (box) => (box.scrollTop = box.scrollHeight / 2));
    // Rows may still become higher or lower while the first ones come: twice the same, some frames apart.
    let before = "";
    const middle = await until(
        async () => {
            await page.waitForTimeout(200);
            return names(page);
        },
        (all) => {
            const is = all.join();
            const stays = is === before;
            before = is;
            return stays && lanes(all).length > 5 && !all.includes("Capability 0") && all.every((name) => name !== "");
        },
    );
    assert.ok(
        lanes(middle).every((name) => Math.abs(Number(name.slice("Capability ".length)) - 100_000) < 200),
        middle.join(),
    );
    assert.ok(middle.length < 40);
    await page.mouse.move(700, 300);
    await page.mouse.wheel(0, 60);
    // While rows scroll, elements are reused in place; then they are put in order.
    const numbers = (all) => lanes(all).map((name) => Number(name.slice("Capability ".length)));
    const inOrder = (all) => numbers(all).every((number, at, [first]) => number === first + at);
    const below = await until(
        () => names(page),
        (all) => inOrder(all) && lanes(all)[0] !== lanes(middle)[0] && all.every((name) => name !== ""),
    );
    assert.equal(
        Number(lanes(below)[0].slice("Capability ".length)) - Number(lanes(middle)[0].slice("Capability ".length)),
        2,
        "two rows of 30 pixels",
    );
    await page.$eval("#timeline", (box) => (box.scrollTop = box.scrollHeight));
    await seen(page, (all) => all.includes("Other events"));
    // Below the heading that sticks to the top.
    await page.$eval("#timeline", (box) => (box.scrollTop -= 180));
    await seen(page, (all) => all.includes("Capability 199999") && all.includes("Collections"));
    const { roles } = await until(
        () => lane(page, "Capability 199999"),
        ({ roles }) => roles.includes("running"),
    );
    assert.ok(roles.filter((role) => role === "running").length > 20);
});
