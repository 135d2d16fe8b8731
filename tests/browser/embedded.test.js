// The viewer beside other content: two viewers on another page, each with a log of its own.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { corpus, file } from "./support/page.js";
import { serve } from "./support/server.js";
import { until } from "./support/see.js";
import { writeCollections } from "./support/eventlog.js";
import { PATIENCE } from "./support/patience.js";

const { CHROME, DIST } = process.env;
const browser = await chromium.launch({ executablePath: CHROME, args: ["--no-sandbox", "--disable-background-networking"] });
const server = await serve(DIST, "/");
after(async () => {
    await browser.close();
    server.close();
});

/** A page with a style of its own. */
const PAGE = `<!doctype html>
    <html>
        <head>
            <title>Report</title>
            <style>
                body { margin: 40px; color: rgb(1, 2, 3); }
                button, td { height: 90px; background: rgb(255, 0, 0); }
                ghc-eventlog-viewer { height: 500px; width: 900px; }
            </style>
            <script type="module" src="js/main.js"></script>
        </head>
        <body>
            <h1 id="program">A report</h1>
            <p id="text">What the runs were like.</p>
            <textarea id="notes"></textarea>
            <ghc-eventlog-viewer id="a" ATTRIBUTES></ghc-eventlog-viewer>
            <ghc-eventlog-viewer id="b"></ghc-eventlog-viewer>
        </body>
    </html>`;

/**
 * @param {string} name
 * @param {(page: import("playwright-core").Page) => Promise<void>} body
 * @param {string} attributes of the first viewer
 */
function onReport(name, body, attributes = "") {
    test(name, async () => {
        const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
        context.setDefaultTimeout(PATIENCE);
        const page = await context.newPage();
        const troubles = [];
        page.on("pageerror", (error) => troubles.push(error.stack));
        const html = { contentType: "text/html", body: PAGE.replace("ATTRIBUTES", attributes) };
        await page.route("**/report.html", (route) => route.fulfill(html));
        await page.route("**/run.eventlog", (route) => route.fulfill({ body: readFileSync(corpus("threaded")) }));
        // Notes the viewers' events.
        await page.addInitScript(() => {
            window.told = [];
            for (const type of ["ready", "error"]) {
                const note = ({ target, detail }) => detail && window.told.push([target.id, type, detail]);
                document.addEventListener(type, note, true);
            }
        });
        try {
            await page.goto(`${server.url}report.html`);
            await page.waitForSelector("#b[data-state]");
            await body(page);
            assert.deepEqual(troubles, []);
        } finally {
            await context.close();
        }
    });
}

const ready = (page, id) => page.waitForSelector(`#${id}[data-state="ready"]`);
const program = (page, id) => page.textContent(`#${id} #program`);

async function open(page, id, name) {
    await page.setInputFiles(`#${id} #open-file`, corpus(name));
    await ready(page, id);
    // The drawer comes after the tracks.
    await page.waitForSelector(`#${id} #panel:not([aria-busy])`, { state: "attached" });
}

/** Whether a viewer shows its whole log, or a part of it. */
const isWhole = (page, id) =>
    page.$eval(`#${id} #overview`, (canvas) => {
        const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, 1);
        const accent = getComputedStyle(canvas).getPropertyValue("--accent").trim();
        const red = Number.parseInt(accent.slice(1, 3), 16);
        // The frame of the view has that colour, and extends to both ends.
        return [0, width - 1].every((at) => Math.abs(data[at * 4] - red) < 8);
    });

onReport("two viewers show different logs at the same time", async (page) => {
    await open(page, "a", "threaded");
    await open(page, "b", "single");
    assert.equal(await program(page, "a"), "threaded");
    assert.equal(await program(page, "b"), "single");
    const tracks = (id) =>
        page.$$eval(`#${id} #headers .track .name`, (names) =>
            names.map((name) => name.textContent).filter((name) => /^Capability \d+$/.test(name)),
        );
    assert.deepEqual(
        await until(
            () => tracks("a"),
            (names) => names.length > 0,
        ),
        ["Capability 0", "Capability 1", "Capability 2"],
    );
    assert.deepEqual(
        await until(
            () => tracks("b"),
            (names) => names.length > 0,
        ),
        ["Capability 0"],
    );
    await page.click("#a #close");
    assert.equal(await page.getAttribute("#a", "data-state"), "empty");
    assert.equal(await page.getAttribute("#b", "data-state"), "ready");
});

onReport("the page around them stays as it was", async (page) => {
    const before = await page.evaluate(() => history.length);
    await open(page, "a", "threaded");
    await page.focus("#a #timeline");
    for (let press = 0; press < 3; press++) await page.keyboard.press("w");
    await until(
        () => isWhole(page, "a"),
        (whole) => !whole,
    );
    // A view becomes an entry of the history after 500 ms.
    await page.waitForTimeout(700);
    assert.equal(await page.title(), "Report");
    assert.equal(await page.evaluate(() => history.length), before);
    assert.deepEqual(await page.evaluate(() => ({ ...document.documentElement.dataset })), {});
    assert.deepEqual(await page.$eval("h1", (title) => [title.textContent, getComputedStyle(title).color]), ["A report", "rgb(1, 2, 3)"]);
});

onReport("its style and theirs do not mix", async (page) => {
    const { background, height } = await page.$eval("#a #example", (button) => ({
        background: getComputedStyle(button).backgroundColor,
        height: button.offsetHeight,
    }));
    assert.equal(background, "rgb(255, 255, 255)");
    assert.equal(height, 28);
});

onReport("keys are a viewer's while the focus is within it", async (page) => {
    await open(page, "a", "threaded");
    await open(page, "b", "threaded");
    const isOpen = (id) => page.$eval(`#${id} #help`, (help) => help.open);
    await page.focus("#notes");
    await page.keyboard.type("w?");
    await page.click("#text");
    await page.keyboard.press("?");
    assert.deepEqual([await isOpen("a"), await isOpen("b")], [false, false]);
    assert.equal(await page.inputValue("#notes"), "w?");
    await page.focus("#b #timeline");
    await page.keyboard.press("w");
    await until(
        () => isWhole(page, "b"),
        (whole) => !whole,
    );
    assert.ok(await isWhole(page, "a"));
    await page.keyboard.press("?");
    assert.deepEqual([await isOpen("a"), await isOpen("b")], [false, true]);
});

onReport("a file that is dropped on one of them opens there; beside them, it is the page's", async (page) => {
    const base64 = readFileSync(corpus("single")).toString("base64");
    /** @returns whether the drop was handled */
    const dropOn = (selector) =>
        page.locator(selector).evaluate((target, base64) => {
            const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], "dropped.eventlog"));
            const event = new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true });
            return !target.dispatchEvent(event);
        }, base64);
    assert.equal(await dropOn("#text"), false);
    assert.equal(await dropOn("#b .drop"), true);
    await ready(page, "b");
    assert.equal(await page.getAttribute("#a", "data-state"), "empty");
});

onReport("files from a script open, and events report when they are ready or why they fail", async (page) => {
    const bytes = [...readFileSync(corpus("single"))];
    await page.evaluate((bytes) => {
        const [a, b] = document.querySelectorAll("ghc-eventlog-viewer");
        a.file = new File([new Uint8Array(bytes)], "mine.eventlog");
        b.open(new Blob(["no log at all"]), "notes.txt");
    }, bytes);
    await ready(page, "a");
    await page.waitForSelector('#b[data-state="error"]');
    const told = await page.evaluate(() => window.told);
    assert.deepEqual(
        told.find(([id]) => id === "a"),
        ["a", "ready", { name: "mine.eventlog" }],
    );
    const [, type, { name, message }] = told.find(([id]) => id === "b");
    assert.deepEqual([type, name], ["error", "notes.txt"]);
    assert.match(message, /text|eventlog/);
    await page.evaluate(() => document.getElementById("a").close());
    await page.waitForSelector('#a[data-state="empty"]');
});

onReport(
    "a log on the page's own server opens at once, and another one when the address changes",
    async (page) => {
        await ready(page, "a");
        assert.equal(await program(page, "a"), "threaded");
        assert.match(await page.textContent("#a #facts"), /run\.eventlog/);
        await page.$eval("#a", (viewer) => viewer.setAttribute("src", "gone.eventlog"));
        await page.waitForSelector('#a[data-state="error"]');
        assert.match(
            await page.textContent("#a #error"),
            /gone\.eventlog cannot be shown\. The server has no such file \(404.*run\.eventlog is still open/s,
        );
    },
    'src="run.eventlog"',
);

onReport(
    "an invalid address is reported as a log that cannot be shown",
    async (page) => {
        await page.waitForSelector('#a[data-state="error"]');
        assert.match(await page.textContent("#a #error"), /http:\/\/\[ cannot be shown\. This is not an address\./);
    },
    'src="http://["',
);

onReport("an address that is set after a file was opened counts, also after the viewer moves", async (page) => {
    await page.evaluate(() => document.getElementById("a").open(new Blob(["no log at all"]), "notes.txt"));
    await page.waitForSelector('#a[data-state="error"]');
    await page.$eval("#a", (viewer) => viewer.setAttribute("src", "run.eventlog"));
    await ready(page, "a");
    await page.evaluate(() => (window.gone = document.getElementById("a")).remove());
    await until(
        async () => page.workers().length,
        (workers) => workers === 1,
    );
    await page.evaluate(() => document.body.prepend(window.gone));
    await ready(page, "a");
    assert.equal(await program(page, "a"), "threaded");
});

onReport(
    "the page sets the colours of both viewers",
    async (page) => {
        const ground = (id) => page.$eval(`#${id}`, (viewer) => getComputedStyle(viewer).backgroundColor);
        assert.deepEqual([await ground("a"), await ground("b")], ["rgb(18, 22, 27)", "rgb(255, 255, 255)"]);
        await page.$eval("#a", (viewer) => viewer.setAttribute("theme", "light"));
        assert.equal(await ground("a"), "rgb(255, 255, 255)");
        await page.click("#b #theme");
        await page.click("#b #theme");
        assert.deepEqual([await ground("a"), await ground("b")], ["rgb(255, 255, 255)", "rgb(18, 22, 27)"]);
        assert.equal(await page.evaluate(() => localStorage.length), 0);
    },
    'theme="dark"',
);

onReport("its panels and folds are its own, and not remembered", async (page) => {
    await open(page, "a", "threaded");
    await page.click("#a #tab-gc");
    await page.focus("#a #drawer [role=separator]");
    await page.keyboard.press("End");
    await page.click("#a #headers [aria-expanded]");
    await page.waitForTimeout(100);
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
    assert.equal(await page.evaluate(() => location.hash), "");
    assert.equal(await page.getAttribute("#b #tab-gc", "aria-selected"), "false");
});

onReport("it keeps within its room: panels and all", async (page) => {
    await open(page, "a", "threaded");
    const boxes = await page.$eval("#a", (viewer) => {
        const box = (part) => part.getBoundingClientRect().toJSON();
        return { all: box(viewer), parts: ["#bar", "#timeline", "#drawer"].map((part) => box(viewer.shadowRoot.querySelector(part))) };
    });
    assert.deepEqual([boxes.all.width, boxes.all.height], [900, 500]);
    for (const { left, right, top, bottom, height } of boxes.parts) {
        assert.ok(left >= boxes.all.left && right <= boxes.all.right && top >= boxes.all.top && bottom <= boxes.all.bottom);
        assert.ok(height > 30);
    }
    // A share of the viewer, not of the window.
    assert.ok(Math.abs(boxes.parts[2].height - 150) < 4, String(boxes.parts[2].height));
});

onReport("its notices and, where it is narrow, its tables take a share of its height, not of the window's", async (page) => {
    await page.$eval("#a", (viewer) => (viewer.style.width = "600px"));
    await page.setInputFiles("#a #open-file", file("many.eventlog", writeCollections(2000)));
    await ready(page, "a");
    await page.click("#a #tab-gc");
    await until(
        () => page.$eval("#a .tab-panel > log-table", (table) => table.offsetHeight),
        (height) => height === 300,
    );
    assert.equal(
        await page.$eval("#a #lost", (notices) => {
            const list = Object.assign(document.createElement("div"), { className: "notices", innerHTML: "<ul></ul>" });
            notices.append(list);
            return getComputedStyle(list.firstChild).maxHeight;
        }),
        "150px",
    );
});

onReport("a narrow one on a wide page is laid out as on a narrow page, and its contents do not widen it", async (page) => {
    await page.evaluate(() => {
        const columns = Object.assign(document.createElement("div"), {
            style: "display: grid; grid-template-columns: 1fr 1fr; width: 800px",
        });
        for (const viewer of document.querySelectorAll("ghc-eventlog-viewer")) {
            viewer.style.width = "auto";
            columns.append(viewer);
        }
        document.body.append(columns);
    });
    await open(page, "a", "threaded");
    const [viewer, facts, title] = await page.$eval("#a", (viewer) =>
        [viewer, ...["#facts", "#program"].map((part) => viewer.shadowRoot.querySelector(part))].map((part) =>
            part.getBoundingClientRect().toJSON(),
        ),
    );
    assert.equal(viewer.width, 400);
    // They are below it.
    assert.ok(facts.top >= title.bottom - 1);
});

for (const contain of ["none", "layout"]) {
    onReport(`its tooltip is beside the pointer, with contain: ${contain}`, async (page) => {
        await page.$eval("#a", (viewer, contain) => (viewer.style.contain = contain), contain);
        await open(page, "a", "threaded");
        const box = await page.locator("#a #timeline").boundingBox();
        const [x, y] = [box.x + 400, box.y + 60];
        await page.mouse.move(x, y);
        const seen = await until(() => page.locator("#a #tooltip").boundingBox(), Boolean);
        assert.ok(Math.abs(seen.x - x - 14) < 2 && Math.abs(seen.y - y - 14) < 2, JSON.stringify({ x, y, seen }));
    });
}

onReport("in a small one, the panel of the selection covers only a part of it", async (page) => {
    await page.$eval("#a", (viewer) => (viewer.style.cssText = "width: 400px; height: 300px"));
    await open(page, "a", "threaded");
    await page.focus("#a #timeline");
    await page.keyboard.press(".");
    await page.waitForSelector("#a #details h2");
    const [viewer, details] = await page.$eval("#a", (viewer) =>
        [viewer, viewer.shadowRoot.getElementById("details")].map((part) => part.getBoundingClientRect().toJSON()),
    );
    assert.ok(details.height <= 0.6 * 300 + 1 && details.top > viewer.top && details.bottom <= viewer.bottom, JSON.stringify(details));
});

onReport("on paper it is light, whole and no wider than that; afterwards it is as before", async (page) => {
    await page.$eval("#a", (viewer) => viewer.setAttribute("theme", "dark"));
    await open(page, "a", "threaded");
    const look = () =>
        page.$eval("#a", (viewer) => {
            const panel = viewer.shadowRoot.getElementById("panel");
            const cut = panel.scrollHeight > panel.clientHeight + 1;
            return { theme: viewer.dataset.theme, width: viewer.offsetWidth, height: viewer.offsetHeight, cut };
        });
    const before = await look();
    assert.deepEqual([before.theme, before.height, before.cut], ["dark", 500, true]);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const printed = await look();
    assert.deepEqual([printed.theme, printed.width, printed.cut], ["light", 900, false]);
    assert.ok(printed.height > 500);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.deepEqual(await look(), before);
});

onReport("one that leaves the page ends its worker; one that is moved goes on, and one that comes back starts again", async (page) => {
    await open(page, "a", "threaded");
    assert.equal(page.workers().length, 2);
    await page.evaluate(() => document.body.prepend(document.getElementById("a")));
    assert.equal(await program(page, "a"), "threaded");
    assert.equal(await page.getAttribute("#a", "data-state"), "ready");
    await page.evaluate(() => (window.gone = document.getElementById("a")).remove());
    await until(
        async () => page.workers().length,
        (workers) => workers === 1,
    );
    await page.evaluate(() => document.body.prepend(window.gone));
    await page.waitForSelector('#a[data-state="empty"]');
    await page.setInputFiles("#a #open-file", file("again.eventlog", readFileSync(corpus("single"))));
    await ready(page, "a");
    assert.equal(await program(page, "a"), "single");
    // Each press counts once.
    await page.focus("#a #timeline");
    await page.keyboard.press("?");
    assert.ok(await page.$eval("#a #help", (help) => help.open));
});
