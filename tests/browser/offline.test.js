// The page without a network, its new versions, and files that the system opens with it.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { offline } from "../../web/offline.js";
import { writeLarge } from "./support/eventlog.js";
import { choose, corpus, drop, file, openCorpus, presetTab, state } from "./support/page.js";
import { PATIENCE } from "./support/patience.js";
import { reachIn } from "./support/reach.js";
import { serve } from "./support/server.js";
import { until } from "./support/see.js";

const { CHROME, DIST } = process.env;
const browser = await chromium.launch({ executablePath: CHROME, args: ["--no-sandbox", "--disable-background-networking"] });
after(() => browser.close());

const ZST = readFileSync(new URL("../../crates/ghc-eventlog-cli/tests/single.eventlog.zst", import.meta.url));

/**
 * A test with a copy of the page, its server, and a browser's profile of its own.
 * @param {string} name
 * @param {(its: { page: import("playwright-core").Page, context: import("playwright-core").BrowserContext, folder: string,
 *     server: Awaited<ReturnType<typeof serve>> }) => Promise<void>} body
 */
function onCopy(name, body) {
    test(name, async () => {
        const folder = mkdtempSync(join(tmpdir(), "offline-"));
        cpSync(DIST, folder, { recursive: true });
        copyFileSync(corpus("threaded"), join(folder, "run.eventlog"));
        const server = await serve(folder, "/some/where/");
        const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
        context.setDefaultTimeout(PATIENCE);
        await context.addInitScript(reachIn);
        await context.addInitScript(presetTab, "summary");
        const troubles = [];
        context.on("weberror", (error) => troubles.push(error.error().stack));
        context.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
        try {
            await body({ page: await context.newPage(), context, folder, server });
            assert.deepEqual(troubles, []);
        } finally {
            await context.close();
            server.close();
            rmSync(folder, { recursive: true });
        }
    });
}

/** Waits until all files of the page are kept. */
const kept = (page) =>
    page.evaluate(async () => {
        const { active } = await navigator.serviceWorker.ready;
        if (active.state === "activated") return;
        await new Promise((resolve) => active.addEventListener("statechange", resolve, { once: true }));
    });

async function installed(page, server) {
    await page.goto(server.url);
    await state(page, "empty");
    await kept(page);
    await page.reload();
    await state(page, "empty");
}

/** Paths below the page's folder. */
const paths = (urls, server) => urls.map((url) => url.slice(server.url.length));

/** All addresses that are kept. */
const cached = (page) =>
    page.evaluate(async () => {
        const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
        return (await Promise.all(caches_.map((cache) => cache.keys()))).flat().map(({ url }) => url);
    });

onCopy("without its server the page starts, and opens logs, also compressed ones", async ({ page, server }) => {
    await page.goto(server.url);
    await state(page, "empty");
    assert.ok(await page.$('meta[http-equiv="Content-Security-Policy"]'), "the page has its policy");
    await kept(page);
    server.close();
    await page.reload();
    await state(page, "empty");
    await drop(page, "#bar", corpus("threaded"));
    await state(page, "ready");
    assert.equal(await page.textContent("#program"), "threaded");
    await choose(page, file("a.eventlog.zst", ZST));
    await page.waitForFunction(() => document.getElementById("program").textContent === "single");
    await state(page, "ready");
    // The page of one file is kept, too.
    await page.click("#save-page");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#saving-start")]);
    assert.match(download.suggestedFilename(), /^a\.eventlog\.html$/);
    // Also by its file's name, and with a query and a fragment.
    await page.goto(`${server.url}index.html?from=mail#panel=gc`);
    await state(page, "empty");
});

onCopy("each file is kept once, right after the page has loaded; after that there are no requests", async ({ page, server }) => {
    await page.goto(server.url);
    await state(page, "empty");
    await kept(page);
    assert.equal(await page.getByText("A new version").count(), 0, "the first one is not told of");
    const first = [...server.requests];
    assert.ok(first.length <= 6, first.join("\n"));
    const files = paths(server.installs, server);
    assert.equal(new Set(files).size, files.length, files.join("\n"));
    assert.deepEqual(files.toSorted(), ["sw.js", ...paths(await cached(page), server)].toSorted());
    for (const part of ["", "js/main.js", "js/worker.js", "wasm/ghc-eventlog-wasm_bg.wasm"]) assert.ok(files.includes(part), part);
    await openCorpus(page, "single");
    await page.click("#close");
    await openCorpus(page, "threaded");
    assert.deepEqual(server.requests, first);
    // From then on, the browser sends only one request when the page is opened: for a new version.
    await page.reload();
    await state(page, "empty");
    await choose(page, file("a.eventlog.zst", ZST));
    await state(page, "ready");
    assert.deepEqual(server.requests, first);
    const later = paths(server.installs, server).slice(files.length);
    assert.ok(
        later.every((path) => path === "sw.js"),
        later.join("\n"),
    );
});

onCopy("the service worker neither keeps logs nor answers requests for them", async ({ page, server }) => {
    await installed(page, server);
    for (const turn of [1, 2]) {
        await page.goto(`${server.url}?${turn}#url=run.eventlog`);
        await state(page, "ready");
    }
    assert.equal(paths(server.requests, server).filter((path) => path === "run.eventlog").length, 2);
    assert.ok((await cached(page)).every((url) => !url.includes("eventlog") || url.includes("/wasm/")));
    // Only the server answers requests for parts of a file.
    const before = server.requests.length;
    await page.evaluate(() => fetch("js/main.js", { headers: { range: "bytes=0-9" } }));
    assert.deepEqual(paths(server.requests.slice(before), server), ["js/main.js"]);
});

onCopy("a page that begins with a log keeps nothing this time", async ({ page, server }) => {
    await page.goto(`${server.url}#url=run.eventlog`);
    await state(page, "ready");
    await page.waitForTimeout(1000);
    assert.deepEqual(server.installs, []);
});

/** Puts another version of the page into its folder: some files contain its number. */
async function publish(folder, version) {
    const path = join(folder, "index.html");
    const page = readFileSync(path, "utf8").replace(/<html[^>]*?(?: data-version="\d+")?>/, (tag) =>
        tag.replace(/ data-version="\d+"/, "").replace(">", ` data-version="${version}">`),
    );
    writeFileSync(path, page);
    appendFileSync(join(folder, "js/main.js"), `\nglobalThis.mainVersion_ = ${version};`);
    appendFileSync(join(folder, "js/start.js"), `\nglobalThis.startVersion_ = ${version};`);
    await offline(folder);
}

const versions = (page) =>
    page.evaluate(() => [Number(document.documentElement.dataset.version), window.mainVersion_, window.startVersion_]);

/** The browser looks for a new version, as it does by itself when the page is opened. */
const look = (page) => page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration()).update()));

onCopy(
    "a new version is announced, taken when the user says so, and no page has files of two versions",
    async ({ page, context, folder, server }) => {
        await publish(folder, 1);
        await installed(page, server);
        await page.evaluate(
            async () => void (await Promise.all(["mine", `ghc-eventlog-viewer ${location.href}other/ 1`].map((name) => caches.open(name)))),
        );
        assert.deepEqual(await versions(page), [1, 1, 1]);
        await publish(folder, 2);
        await look(page);
        const note = page.getByRole("status").filter({ hasText: "A new version" });
        await note.waitFor();
        assert.ok(!/open a log from your disk again/.test(await note.innerText()));
        // The old one goes on as it is.
        await page.reload();
        await note.waitFor();
        assert.deepEqual(await versions(page), [1, 1, 1]);
        const before = server.requests.length;
        await choose(page, file("a.eventlog.zst", ZST));
        await state(page, "ready");
        assert.deepEqual(server.requests.slice(before), []);
        assert.match(await note.innerText(), /open a log from your disk again/);
        // Another tab has the old one, too.
        const other = await context.newPage();
        await other.goto(server.url);
        await state(other, "empty");
        assert.deepEqual(await versions(other), [1, 1, 1]);
        await page.getByRole("button", { name: "Reload" }).press("Enter");
        await until(
            () => note.innerText(),
            (text) => /another page of this site is still using the old one/.test(text),
        );
        await page.waitForTimeout(500);
        assert.equal(await page.getAttribute("html", "data-state"), "ready");
        for (const tab of [page, other]) {
            assert.deepEqual(await versions(tab), [1, 1, 1]);
            assert.ok(await tab.evaluate(async () => (await (await fetch("js/main.js")).text()).endsWith("mainVersion_ = 1;")));
        }
        await other.close();
        await page.getByRole("button", { name: "Reload" }).press("Enter");
        await page.waitForFunction(() => window.startVersion_ === 2);
        await state(page, "empty");
        await until(
            () => versions(page),
            (now) => now.every((version) => version === 2),
        );
        assert.equal(await note.count(), 0);
        // The old version's files are gone, and nothing else.
        const names = await page.evaluate(() => caches.keys());
        assert.equal(names.length, 3, names.join("\n"));
        server.close();
        await page.reload();
        await state(page, "empty");
        assert.deepEqual(await versions(page), [2, 2, 2]);
    },
);

onCopy("a new version can be dismissed; the focus goes on from there", async ({ page, folder, server }) => {
    await installed(page, server);
    await publish(folder, 2);
    await look(page);
    await page.getByRole("button", { name: "Later" }).press("Enter");
    assert.equal(await page.getByRole("button", { name: "Later" }).count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.id), "open-file");
    await page.reload();
    await page.getByRole("button", { name: "Later" }).waitFor();
});

onCopy("a version with a wrong file is not taken", async ({ page, folder, server }) => {
    await publish(folder, 1);
    await installed(page, server);
    await publish(folder, 2);
    appendFileSync(join(folder, "js/worker.js"), "\n// The next version's, as it is being published.");
    const failed = page.evaluate(
        () =>
            new Promise((resolve) => {
                navigator.serviceWorker.getRegistration().then((registration) => {
                    registration.addEventListener("updatefound", () => {
                        const { installing } = registration;
                        installing.addEventListener("statechange", () => resolve(installing.state));
                    });
                    registration.update().catch(() => {});
                });
            }),
    );
    assert.equal(await failed, "redundant");
    await page.reload();
    await state(page, "empty");
    assert.deepEqual(await versions(page), [1, 1, 1]);
    assert.equal(await page.getByText("A new version").count(), 0);
});

/** Nothing is being installed. */
const isSettled = (page) => page.evaluate(async () => !(await navigator.serviceWorker.getRegistration()).installing);

/** The user presses Reload, and then has all files of a version. */
async function reloads(page, version) {
    await page.getByRole("button", { name: "Reload" }).press("Enter");
    await page.waitForFunction((version) => window.startVersion_ === version, version);
    await state(page, "empty");
    await until(
        () => versions(page),
        (now) => now.every((one) => one === version),
    );
}

onCopy("a new version that comes while a log is being read leaves it alone", async ({ page, folder, server }) => {
    await publish(folder, 1);
    await installed(page, server);
    const log = `${folder}.eventlog`;
    // Long enough that it is still being read.
    writeLarge(log, 2 ** 30);
    try {
        await publish(folder, 2);
        await choose(page, log);
        await page.waitForSelector('html[data-state="loading"]', { state: "attached" });
        await look(page);
        await page.getByRole("status").filter({ hasText: "A new version" }).waitFor();
        assert.equal(await page.getAttribute("html", "data-state"), "loading", "it is still being read");
        await page.waitForSelector('html[data-state="ready"]', { state: "attached" });
        assert.deepEqual(await versions(page), [1, 1, 1]);
    } finally {
        rmSync(log);
    }
});

onCopy("the version before is taken like any other when it comes back", async ({ page, folder, server }) => {
    await publish(folder, 1);
    await installed(page, server);
    const before = `${folder}-before`;
    cpSync(folder, before, { recursive: true });
    try {
        await publish(folder, 2);
        await look(page);
        await reloads(page, 2);
        cpSync(before, folder, { recursive: true });
        await look(page);
        await reloads(page, 1);
        server.close();
        await page.reload();
        await state(page, "empty");
        assert.deepEqual(await versions(page), [1, 1, 1]);
    } finally {
        rmSync(before, { recursive: true });
    }
});

onCopy("a version that is withdrawn before it was taken leaves the one before intact", async ({ page, folder, server }) => {
    await publish(folder, 1);
    await installed(page, server);
    const before = `${folder}-before`;
    cpSync(folder, before, { recursive: true });
    try {
        await publish(folder, 2);
        await look(page);
        await page.getByRole("button", { name: "Reload" }).waitFor();
        cpSync(before, folder, { recursive: true });
        await look(page);
        await until(
            () => isSettled(page),
            (settled) => settled,
        );
        await reloads(page, 1);
        server.close();
        await page.reload();
        await state(page, "empty");
        assert.deepEqual(await versions(page), [1, 1, 1]);
        await choose(page, file("a.eventlog.zst", ZST));
        await state(page, "ready");
    } finally {
        rmSync(before, { recursive: true });
    }
});

onCopy("of two new versions, the newer one is taken, and nothing else is kept", async ({ page, folder, server }) => {
    await publish(folder, 1);
    await installed(page, server);
    for (const version of [2, 3]) {
        await publish(folder, version);
        await look(page);
        await page.getByRole("button", { name: "Reload" }).waitFor();
        await until(
            () => isSettled(page),
            (settled) => settled,
        );
    }
    await reloads(page, 3);
    assert.equal(await page.evaluate(async () => (await caches.keys()).length), 1);
});

onCopy("a version that could not be stored leaves nothing, and the next one is taken", async ({ page, folder, server }) => {
    await publish(folder, 1);
    await installed(page, server);
    const before = await cached(page);
    await publish(folder, 2);
    appendFileSync(join(folder, "js/worker.js"), "\n// Not what it should be.");
    await look(page).catch(() => {});
    await until(
        () => isSettled(page),
        (settled) => settled,
    );
    assert.deepEqual(await cached(page), before);
    await publish(folder, 3);
    await look(page);
    await reloads(page, 3);
});

onCopy(
    "an older tab has all parts of its version after a newer one was dismissed in another tab",
    async ({ page, context, folder, server }) => {
        await publish(folder, 1);
        await installed(page, server);
        const old = await context.newPage();
        await old.goto(server.url);
        await state(old, "empty");
        await publish(folder, 2);
        await look(page);
        await page.getByRole("button", { name: "Later" }).press("Enter");
        await page.close();
        const before = server.requests.length;
        await choose(old, file("a.eventlog.zst", ZST));
        await state(old, "ready");
        assert.deepEqual(server.requests.slice(before), []);
        assert.deepEqual(await versions(old), [1, 1, 1]);
        await reloads(old, 2);
    },
);

/** Pages that keep nothing, by name, with the contents of their body. */
const OTHERS = {
    "in a frame": `<iframe src="./" width="900" height="600"></iframe>`,
    "with an element beside its own content": `<ghc-eventlog-viewer></ghc-eventlog-viewer><script type="module" src="js/main.js"></script>`,
    "of somebody else, which is there for the viewer": `<ghc-eventlog-viewer page></ghc-eventlog-viewer><script type="module" src="js/main.js"></script>`,
};

for (const [name, body] of Object.entries(OTHERS)) {
    onCopy(`a page ${name} keeps nothing`, async ({ page, folder, server }) => {
        writeFileSync(join(folder, "other.html"), `<!doctype html><link rel="icon" href="data:,">${body}`);
        await keepsNothing(page, server, "other.html");
    });
}

onCopy("the page of one file keeps nothing", async ({ page, server }) => {
    await keepsNothing(page, server, "viewer.html");
});

async function keepsNothing(page, server, path) {
    await page.goto(`${server.url}${path}`);
    const frame = page.frames().at(-1);
    await frame.waitForSelector('ghc-eventlog-viewer[data-state="empty"]');
    await page.waitForTimeout(1000);
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
    assert.deepEqual(server.installs, []);
}

onCopy("a file that the system opens with the page is opened", async ({ page, server }) => {
    await page.addInitScript(() => {
        Object.defineProperty(self, "launchQueue", { value: { setConsumer: (consumer) => (window.launch_ = consumer) } });
    });
    await page.goto(server.url);
    await state(page, "empty");
    // Opened without a file, as by its icon.
    await page.evaluate(() => window.launch_({ files: [] }));
    await state(page, "empty");
    await page.evaluate(
        (bytes) => window.launch_({ files: [{ getFile: async () => new File([new Uint8Array(bytes)], "mine.eventlog") }] }),
        [...readFileSync(corpus("single"))],
    );
    await state(page, "ready");
    assert.match(await page.textContent("#facts"), /mine\.eventlog/);
});

onCopy("the page can be installed, for eventlogs", async ({ page, context, folder, server }) => {
    await page.goto(server.url);
    // It comes once the page is idle.
    await page.waitForSelector("link[rel=manifest]", { state: "attached" });
    const session = await context.newCDPSession(page);
    const { url, errors, data } = await session.send("Page.getAppManifest");
    assert.equal(url, `${server.url}manifest.webmanifest`);
    assert.deepEqual(errors, []);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    assert.deepEqual(
        installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"),
        [],
    );
    const { icons, file_handlers: handlers } = JSON.parse(data);
    for (const { src } of icons) assert.ok(readFileSync(join(folder, src)).length < 10_000, src);
    assert.deepEqual(Object.values(handlers[0].accept).flat(), [".eventlog", ".eventlog.gz", ".eventlog.zst"]);
});
