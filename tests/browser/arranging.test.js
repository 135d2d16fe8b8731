// Rows that the user pins, hides, moves, makes low or high, filters, and saves as views.

import assert from "node:assert/strict";
import { SAVES, choose, corpus, file, onPage, openCorpus, state } from "./support/page.js";
import { pixelsOf, tracks, until } from "./support/see.js";
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** The names of all rows and headings in view, from top to bottom; pinned ones have a star. */
function names(page) {
    return page.evaluate(() =>
        [...document.querySelectorAll("#headers .track[data-row], #headers .track.foot")]
            .map((row) => ({ row, y: row.getBoundingClientRect().top }))
            .sort((a, b) => a.y - b.y)
            .map(({ row }) => (row.dataset.name ?? row.textContent) + (row.closest(".pinned") ? "*" : "")),
    );
}

const header = (page, name) => page.locator(`#headers .track[data-name="${name}"]`);
const waitFor = (page, isRight) => until(() => names(page), isRight);
const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash));

/** Presses a key on a row whose header has the focus. */
async function press(page, name, key) {
    const [row, heading] = [header(page, name), page.locator(`#headers .track[data-name="${name}"] > button[data-group]`)];
    await ((await heading.count()) > 0 ? heading : row).focus();
    await page.keyboard.press(key);
}

/** The name of the row that has the focus, or the label of what has it. */
function focused(page) {
    return page.evaluate(() => {
        const { activeElement } = document.querySelector("#headers").getRootNode();
        return activeElement?.dataset.name ?? activeElement?.getAttribute("aria-label");
    });
}

/** Scrolls the rows. */
async function scroll(page, by) {
    await page.mouse.move(700, 300);
    await page.mouse.wheel(0, by);
}

const before = (all, one, other) => all.indexOf(one) >= 0 && all.indexOf(one) < all.indexOf(other);

onPage("a pinned row stays at the top while others scroll, and says where it is from; unpinned it is where it was", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 1"));
    await header(page, "Capability 1").hover();
    const [tools, note] = [page.locator(".row-tools"), header(page, "Capability 1").locator(".note")];
    const [a, b] = [await tools.boundingBox(), await note.boundingBox()];
    assert.ok(b.x + b.width <= a.x, "the tools cover neither the name nor the figure");
    // They appear when the pointer rests. The browser's driver, when it waits for that in order to click, scrolls the rows meanwhile: another
    // row is under the pointer then.
    await page.locator(".row-tools .pin").waitFor();
    await page.locator(".row-tools .pin").click();
    const all = await waitFor(page, ([first]) => first === "Capability 1*");
    assert.equal(all.filter((name) => name.startsWith("Capability 1")).length, 1);
    assert.equal(await header(page, "Capability 1").locator(".from").textContent(), " Capabilities");
    const painted = await pixelsOf(page, "Capability 1 Capabilities", "running");
    assert.ok(painted > 20, `${painted} pixels`);
    const top = await header(page, "Capability 1").boundingBox();
    await scroll(page, 400);
    await waitFor(page, (now) => now.includes("Capability 1*") && !now.includes("Capability 0"));
    assert.equal((await header(page, "Capability 1").boundingBox()).y, top.y);
    assert.equal(await pixelsOf(page, "Capability 1 Capabilities", "running"), painted, "it is drawn over the others");
    // What is under the pointer there is the pinned row's.
    await page.mouse.click(1020, top.y + 12);
    await page.waitForSelector("#details:not([hidden])");
    assert.match(await page.textContent("#details"), /Capability 1|cap 1/i);
    await page.keyboard.press("p");
    await scroll(page, -5000);
    await waitFor(page, (now) => before(now, "Capability 0", "Capability 1") && before(now, "Capability 1", "Capability 2"));
});

onPage("a hidden row comes back by Undo, by Ctrl+Z, singly and with all others; the address and a reload keep it", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    await press(page, "Capability 1", "h");
    await waitFor(page, (all) => !all.includes("Capability 1"));
    assert.equal(await page.textContent(".row-notice span"), "Capability 1: hidden");
    await page.click("#undo-rows");
    await waitFor(page, (all) => all.includes("Capability 1"));
    await press(page, "Capability 1", "h");
    await press(page, "Capability 2", "h");
    await press(page, "Garbage collection", "h");
    await waitFor(page, (all) => !all.includes("Garbage collection") && !all.includes("GC sync"));
    assert.match(await hash(page), /rows=h2\.1,h2\.2,hgc/);
    await page.keyboard.press("Control+z");
    await waitFor(page, (all) => all.includes("GC sync"));
    assert.equal(await page.locator(".row-notice").count(), 0, "nothing of it is left to be undone");
    await scroll(page, 5000);
    await waitFor(page, (all) => all.at(-1) === "Show hidden (2)");
    await page.click("button.foot");
    await page.click("#hidden-rows button >> nth=0");
    await page.click("#row-arranging form button:last-child");
    await scroll(page, -5000);
    await waitFor(page, (all) => all.includes("Capability 1") && !all.includes("Capability 2"));
    assert.match(await hash(page), /rows=h2\.2$/);
    await page.keyboard.press("Shift+H");
    await waitFor(page, (all) => all.includes("Capability 2"));
    assert.doesNotMatch(await hash(page), /rows=/);
});

onPage("when the same log is opened again, its rows are arranged as before; another log's are not", { restarts: true }, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    await press(page, "Capability 1", "p");
    await press(page, "Capability 2", "h");
    await waitFor(page, (all) => all[0] === "Capability 1*" && !all.includes("Capability 2"));
    await choose(page, corpus("messages"));
    await state(page, "ready");
    await waitFor(page, (all) => all.length > 2 && all.every((name) => !name.endsWith("*")));
    assert.doesNotMatch(await hash(page), /rows=/);
    await page.evaluate(() => history.replaceState(null, "", "#later=1"));
    await page.reload();
    await state(page, "empty");
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all[0] === "Capability 1*" && !all.includes("Capability 2"));
    assert.match(await hash(page), /#later=1.*&rows=p2\.1,h2\.2/);
});

onPage("a link arranges rows, also of a log that lacks some of them, which is said", { restarts: true }, async (page) => {
    await page.evaluate(() => (location.hash = "#rows=p2.1,h2.77,hgc,zz,o2.1~&x=y"));
    await page.reload();
    await state(page, "empty");
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all[0] === "Capability 1*" && !all.includes("Garbage collection"));
    await until(
        () => page.textContent("#noted"),
        (text) => text === "1 arranged row is not among the rows of this log",
    );
    assert.match(await hash(page), /&x=y/);
});

onPage("rows and groups are moved by keys and by dragging", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    await press(page, "Capability 2", "Alt+ArrowUp");
    await waitFor(page, (all) => before(all, "Capability 2", "Capability 1"));
    assert.equal(await page.textContent("#announcer"), "Capability 2: now above Capability 1");
    await until(
        () => focused(page),
        (name) => name === "Capability 2",
    );
    await page.keyboard.press("Alt+ArrowUp");
    await waitFor(page, (all) => before(all, "Capability 2", "Capability 0"));
    await page.keyboard.press("Alt+ArrowUp");
    await until(
        () => page.textContent("#noted"),
        (text) => text === "Capability 2 is the first row of its group",
    );
    await drag(page, "Capability 2", "Capability 1", 0.8);
    await waitFor(page, (all) => before(all, "Capability 0", "Capability 1") && before(all, "Capability 1", "Capability 2"));
    await drag(page, "Garbage collection", "Capabilities", 0.2);
    await waitFor(page, (all) => before(all, "Garbage collection", "Capabilities") && before(all, "GC sync", "Capability 0"));
    await page.locator(".heading button[data-group=caps]").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await waitFor(page, (all) => before(all, "Capabilities", "Garbage collection"));
    // A row of another group has no place here.
    await drag(page, "GC sync", "Capability 0", 0.2);
    const all = await waitFor(page, (now) => now.includes("GC sync"));
    assert.ok(before(all, "Collections", "GC sync"));
    assert.equal(await page.locator(".heading button[data-group=gc]").getAttribute("aria-expanded"), "true");
});

/** Drags a row's header to a share of the height of another one's. */
async function drag(page, name, other, share) {
    const boxes = async () => JSON.stringify([await header(page, name).boundingBox(), await header(page, other).boundingBox()]);
    // Rows may still be on their way to where the last drag has put them.
    const resting = await until(
        async () => [await boxes(), await page.waitForTimeout(100), await boxes()],
        ([before, , after]) => before === after,
    );
    const [from, to] = JSON.parse(resting[0]);
    await page.mouse.move(from.x + 40, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + 42, from.y + from.height / 2 + 8);
    await page.mouse.move(to.x + 42, to.y + to.height * share, { steps: 4 });
    await page.mouse.up();
}

onPage("a drag to the side on a header still selects a range, a click still folds", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    const { x, y } = await header(page, "Capability 1").boundingBox();
    await page.mouse.move(x + 30, y + 12);
    await page.mouse.down();
    await page.mouse.move(x + 500, y + 14, { steps: 5 });
    await page.mouse.up();
    await page.waitForSelector(".chip");
    await page.locator(".heading button[data-group=caps]").click();
    await waitFor(page, (all) => !all.includes("Capability 1"));
});

onPage("rows have three heights: one row, a group, all", {}, async (page) => {
    await openCorpus(page, "threaded");
    const high = async (name) => (await header(page, name).boundingBox()).height;
    await waitFor(page, (all) => all.includes("Capability 2"));
    await press(page, "Capability 1", "Shift+D");
    await until(
        () => high("Capability 1"),
        (height) => height === 18,
    );
    assert.ok((await pixelsOf(page, "Capability 1", "running")) > 20);
    await page.click("#arrange-rows");
    await page.locator("#row-arranging button", { hasText: /^high$/ }).click();
    await page.locator("#row-arranging form button:last-child").click();
    await until(
        () => high("Capability 1"),
        (height) => height === 48,
    );
    await header(page, "Capability 0").click({ button: "right", position: { x: 40, y: 10 } });
    await page.locator(".row-menu [role=menuitemradio]", { hasText: "low" }).click();
    await until(
        () => high("Capability 0"),
        (height) => height === 18,
    );
    assert.equal(await high("Capability 2"), 48);
    assert.match(await hash(page), /rows=d48,d18~2\.0/);
});

onPage("picked rows alone are shown, until Esc; the filter shows rows by name", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    for (const name of ["Capability 1", "Live data"]) await header(page, name).click({ modifiers: ["Control"], position: { x: 30, y: 8 } });
    await page.click("#picked-only");
    await waitFor(page, (all) => all.join() === "Capabilities,Capability 1,Heap,Live data,Show all rows");
    await page.keyboard.press("Escape");
    await waitFor(page, (all) => all.includes("Capability 2"));
    await page.keyboard.press("v");
    await page.keyboard.type("CAP 1 al");
    await waitFor(page, (all) => all.join() === "Heap,Cap 1 alloc,Show all rows");
    assert.match(await hash(page), /rows=fCAP 1 al/);
    await page.keyboard.press("Escape");
    await waitFor(page, (all) => all.includes("Capability 2"));
    await page.keyboard.type("nothing like it");
    await waitFor(page, (all) => all.join() === "Show all rows");
    await page.click("button.foot");
    await waitFor(page, (all) => all.includes("Capability 2"));
    assert.equal((await page.textContent("#rows-bar .search")).trim(), "");
});

onPage("a step to a hidden row shows it for the moment, and says so", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    await press(page, "Capabilities", "h");
    await waitFor(page, (all) => !all.includes("Capabilities"));
    await page.keyboard.press("Control+Shift+P");
    await page.keyboard.type("Capability 2");
    await page.locator("[role=option]", { hasText: "Capability 2" }).first().click();
    await waitFor(page, (all) => before(all, "Capabilities", "Capability 2") && !all.includes("Capability 1"));
    await until(
        () => page.textContent("#noted"),
        (text) => text === "Capability 2 is hidden; it is shown for now",
    );
    assert.match(await hash(page), /rows=hcaps/);
});

onPage("views are saved, shown, renamed and deleted; one for all logs finds rows by their names", { restarts: true }, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    await press(page, "Capability 1", "p");
    await press(page, "Capability 2", "h");
    await page.click("#arrange-rows");
    await page.locator("#row-arranging button", { hasText: "all logs" }).click();
    await page.click("#view-name");
    await page.keyboard.type("one capability");
    await page.keyboard.press("Enter");
    await page.locator("#saved-views .view", { hasText: "one capability" }).waitFor();
    await page.locator("#rows-restore").click();
    await page.locator("#row-arranging form button:last-child").click();
    await waitFor(page, (all) => all.includes("Capability 2") && !all[0].endsWith("*"));
    await choose(page, file("other.eventlog", readFileSync(corpus("sparks"))));
    await state(page, "ready");
    await waitFor(page, (all) => all.includes("Capability 1") && !all[0].endsWith("*"));
    await page.click("#arrange-rows");
    await page.locator("#saved-views .view").click();
    await waitFor(page, (all) => all[0] === "Capability 1*");
    await page.click("#arrange-rows");
    await page.locator("#saved-views button", { hasText: "Rename" }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("cap 1");
    await page.keyboard.press("Enter");
    await page.locator("#saved-views .view", { hasText: /^cap 1$/ }).waitFor();
    await page.locator("#saved-views button", { hasText: "Delete" }).click();
    await page.locator("#saved-views").waitFor({ state: "detached" });
});

onPage("by the keyboard alone: to a row's name, from row to row, to its buttons and its menu", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    await page.locator(".heading button[data-group=caps]").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(page), "Capability 1");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Pin Capability 1");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "More for Capability 1");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".row-menu[open]");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await waitFor(page, (all) => !all.includes("Capability 1"));
});

onPage("who goes on to another row while one is being pinned stays there", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 1") && all.includes("Capability 2"));
    await press(page, "Capability 1", "ArrowDown");
    await until(
        () => focused(page),
        (name) => name === "Capability 2",
    );
    await page.evaluate(async () => {
        const row = (name) => document.querySelector(`#headers .track[data-name="${name}"]`);
        row("Capability 2").dispatchEvent(new KeyboardEvent("keydown", { key: "p", code: "KeyP", bubbles: true, composed: true }));
        row("Capability 1").focus();
        for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
    });
    await waitFor(page, (all) => all[0] === "Capability 2*");
    assert.equal(await focused(page), "Capability 1");
    await page.keyboard.press("h");
    await waitFor(page, (all) => !all.includes("Capability 1") && all[0] === "Capability 2*");
});

onPage("the focus is where the next key is meant to go, whenever that comes while rows are on their way", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    /** Presses a key on a row, goes on to another one, and says which row has the focus before each of the next frames is painted. */
    const go = (name, key, other) =>
        page.evaluate(
            async ([name, key, other]) => {
                const row = (name) => document.querySelector(`#headers .track[data-name="${name}"]`);
                row(name).focus();
                row(name).dispatchEvent(new KeyboardEvent("keydown", { ...key, bubbles: true, composed: true }));
                // A move has begun by then.
                for (let turn = 0; turn < 20; turn++) await null;
                if (other) row(other).focus();
                const seen = [];
                for (let frame = 0; frame < 4; frame++) {
                    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                    seen.push(document.activeElement?.dataset.name ?? "nothing");
                }
                return seen.join();
            },
            [name, key, other],
        );
    const all = (name) => Array(4).fill(name).join();
    for (const turn of ["pinned", "unpinned"]) assert.equal(await go("Capability 1", { code: "KeyP" }, null), all("Capability 1"), turn);
    await press(page, "Capability 0", "Alt+ArrowDown");
    await waitFor(page, (now) => before(now, "Capability 1", "Capability 0"));
    // The row that the user is on changes places with the other: one of them is taken out of the page for a moment.
    for (const code of ["ArrowUp", "ArrowDown", "ArrowUp"])
        assert.equal(await go("Capability 0", { code, altKey: true }, "Capability 1"), all("Capability 1"), code);
});

onPage("what is opened from a row's buttons gives the focus back to them", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 1"));
    const tools = () => page.locator(".row-tools").count();
    for (const [name, stops] of [
        ["Capability 1", 3],
        ["Capabilities", 2],
    ]) {
        await press(page, name, "Tab");
        for (let stop = 1; stop < stops; stop++) await page.keyboard.press("Tab");
        assert.equal(await focused(page), `More for ${name}`);
        for (const key of ["Enter", "?"]) {
            await page.keyboard.press(key);
            await page.waitForSelector("dialog:modal");
            await page.keyboard.press("Escape");
            await page.waitForSelector("dialog:modal", { state: "detached" });
            assert.equal(await focused(page), `More for ${name}`, key);
        }
    }
    // An action of the menu leaves the focus on the row, or on the one beside it.
    await press(page, "Capability 2", "Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".row-menu [role=menuitem]", { hasText: "Hide" }).press("Enter");
    await waitFor(page, (all) => !all.includes("Capability 2"));
    await until(
        () => page.evaluate(() => document.activeElement?.closest(".track")?.dataset.name),
        (name) => name === "Garbage collection",
    );
    await page.focus("#timeline");
    assert.equal(await tools(), 0);
    // By the mouse, which is elsewhere afterwards.
    await header(page, "Capability 1").hover();
    // As above: the driver must not scroll.
    await page.locator(".row-tools .more").waitFor();
    await page.locator(".row-tools .more").click();
    await page.mouse.move(900, 100);
    await page.keyboard.press("Escape");
    await until(
        () => focused(page),
        (label) => label === "More for Capability 1",
    );
    // What the focus never was in goes with the pointer.
    await page.focus("#timeline");
    await header(page, "Capability 1").click({ button: "right" });
    await page.waitForSelector(".row-menu:modal");
    await page.mouse.move(900, 100);
    await page.keyboard.press("Escape");
    await until(tools, (count) => count === 0);
});

onPage("a finger that rests on a name opens the menu", { hasTouch: true }, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    const { x, y } = await header(page, "Capability 1").boundingBox();
    const touch = await page.context().newCDPSession(page);
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + 30, y: y + 12 }] });
    await page.waitForSelector(".row-menu[open]");
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    assert.equal(await page.locator(".chip").count(), 0, "no range is selected");
    await page.locator(".row-menu [role=menuitem]", { hasText: "Hide" }).click();
    await waitFor(page, (all) => !all.includes("Capability 1"));
    assert.ok((await tracks(page)).length > 0);
});

onPage("of a thousand rows, the one that is looked for is pinned, and one far below hidden", {}, async (page) => {
    await openCorpus(page, "malformed-31-too-many-capabilities");
    await page.keyboard.press("v");
    await page.keyboard.type("capability 7");
    await waitFor(page, (all) => all[1] === "Capability 7" && all[2] === "Capability 70");
    await press(page, "Capability 70", "h");
    await press(page, "Capability 71", "p");
    await waitFor(page, (all) => all[0] === "Capability 71*" && all[3] === "Capability 72");
    await page.keyboard.press("Escape");
    await page.locator(".heading button[data-group=caps]").click();
    await waitFor(page, (all) => all.includes("Capability 3") && all[0] === "Capability 71*");
    await page.evaluate(() => (document.getElementById("timeline").scrollTop = 62 * 30));
    const all = await waitFor(page, (now) => now.includes("Capability 72"));
    assert.ok(before(all, "Capability 69", "Capability 72") && !all.includes("Capability 70") && !all.includes("Capability 71"));
    assert.match(await hash(page), /rows=p2\.71,h2\.70/);
});

onPage("paper has the pinned rows first, and says which are hidden", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    await press(page, "Capability 2", "p");
    await press(page, "Capability 1", "h");
    await waitFor(page, (all) => all[0] === "Capability 2*" && !all.includes("Capability 1"));
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const printed = await page.$$eval("#paper .headers > *", (rows) => rows.map((row) => row.firstElementChild.textContent));
    const left = await page.textContent("#unprinted");
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(printed[0], "Capability 2 Capabilities");
    assert.ok(printed.includes("Capability 0") && !printed.includes("Capability 1") && !printed.includes("Capability 2"));
    assert.match(left, /1 row is hidden\./);
});

onPage("only the rows with hits of a search are shown", {}, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    await page.keyboard.press("/");
    await page.keyboard.type("type:GC cap:0");
    await page.keyboard.press("Enter");
    await page.click("#only-hits");
    const all = await waitFor(page, (now) => now.at(-1) === "Show all rows");
    assert.ok(all.includes("Collections") || all.includes("Capability 0"), all.join());
    assert.ok(!all.includes("Live data"));
});

onPage("a saved page has the arrangement", SAVES, async (page) => {
    await openCorpus(page, "threaded");
    await waitFor(page, (all) => all.includes("Capability 2"));
    await press(page, "Capability 1", "h");
    await page.click("#save-page");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#saving-start")]);
    const saved = await download.path();
    assert.match(readFileSync(saved, "utf8"), / data-rows="h2\.1"/);
    const other = await page.context().newPage();
    const copy = `${saved}.html`;
    copyFileSync(saved, copy);
    try {
        await other.goto(pathToFileURL(copy).href);
        await state(other, "ready");
        await waitFor(other, (all) => all.includes("Capability 2") && !all.includes("Capability 1"));
    } finally {
        rmSync(copy);
    }
});
