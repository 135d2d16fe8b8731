// Logs on servers: how they are asked for, what is asked of the reader first, and what is said when they do not come.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";
import { corpus, state } from "./support/page.js";
import { reachIn } from "./support/reach.js";
import { serve } from "./support/server.js";
import { Logs } from "./support/logs.js";
import { drawn, until } from "./support/see.js";
import { writeLarge } from "./support/eventlog.js";
import { workerOf } from "./support/worker.js";

const { CHROME, DIST } = process.env;
const browser = await chromium.launch({ executablePath: CHROME, args: ["--no-sandbox", "--disable-background-networking"] });
const folder = mkdtempSync(join(tmpdir(), "remote-"));
const [own, others, thirds] = [new Logs(), new Logs(), new Logs()];
const server = await serve(DIST, "/", { logs: own });
const [other, third] = [await serve(folder, "/", { logs: others }), await serve(folder, "/", { logs: thirds })];
after(async () => {
    await browser.close();
    server.close();
    other.close();
    third.close();
    rmSync(folder, { recursive: true });
});

const LOG = readFileSync(corpus("threaded"));
const LONG = join(folder, "long.eventlog");
// Longer than what is kept of any log.
writeLarge(LONG, 24e6);
/** Less than a short log has, compressed or not. */
const CAP_OF_SHORT = Math.floor(gzipSync(LOG).length / 4);
const SIZE = statSync(LONG).size;
const MIB = (SIZE / 2 ** 20).toPrecision(3).replace(".", "\\.");
const ETAG = { etag: '"1"', "last-modified": "Wed, 21 Oct 2015 07:28:00 GMT" };

/**
 * A page with that address. What a browser says by itself of requests that fail is no trouble.
 * @param {string} address after the server's
 * @param {(page: import("playwright-core").Page, context: import("playwright-core").BrowserContext) => Promise<void>} body
 * @param {(page: import("playwright-core").Page) => Promise<void>} [before] the page is loaded
 */
async function at(address, body, before = async () => {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    await context.addCookies([server, other].map(({ origin: url }) => ({ name: "session", value: "secret", url })));
    await context.addInitScript(reachIn);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => message.type() === "error" && !/Failed to load|CORS|Content Security|net::/.test(message.text()) && troubles.push(message.text()));
    try {
        await before(page);
        await page.goto(`${server.origin}/${address}`);
        await body(page, context);
        assert.deepEqual(troubles, []);
    } finally {
        await context.close();
    }
}

/** A page that opens a log by its address. */
const opening = (url, body, before) => at(`#url=${encodeURIComponent(url)}`, body, before);
const beside = (name) => `logs/${name}`;
const elsewhere = (name) => `${other.origin}/logs/${name}`;

const facts = (page) => page.textContent("#facts");
const notices = (page) => page.textContent("#notices");
const error = async (page) => {
    await state(page, "error");
    return page.textContent("#error");
};
const streams = (asked) => asked.filter(({ range }) => /-$/.test(range ?? "-"));
const parts = (asked) => asked.filter(({ range }) => /-\d+$/.test(range ?? ""));

/** Looks so closely at a place that it must be read again, and waits until it is drawn. */
async function lookClosely(page) {
    await page.focus("#timeline");
    for (let press = 0; press < 24; press++) await page.keyboard.press("w");
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
    await until(() => drawn(page, "HEC 0"), (pixels) => pixels > 0);
}

/** Makes time go faster for the page's worker. */
async function hurried(page, times) {
    const session = await page.context().newCDPSession(page);
    const send = await workerOf(session);
    const expression = `{ const { setTimeout } = self; self.setTimeout = (act, ms, ...rest) => setTimeout(act, ms / ${times}, ...rest); }`;
    await send("Runtime.evaluate", { expression });
    await session.detach();
}

test("a log beside the page is opened at once, read in one stream, and seen closely by ranges", async () => {
    own.put("long.eventlog", { log: LONG, headers: ETAG });
    await opening(beside("long.eventlog"), async (page) => {
        await state(page, "ready");
        assert.match(await facts(page), new RegExp(`^long\\.eventlog · ${MIB} MiB · `));
        assert.deepEqual(streams(own.of("long.eventlog")).map(({ range, ended }) => [range, ended]), [["bytes=0-", "whole"]]);
        await lookClosely(page);
        const asked = own.of("long.eventlog");
        assert.equal(streams(asked).length, 1);
        assert.ok(parts(asked).length > 0, "no part was asked for");
        const bytes = parts(asked).map(({ range }) => range.match(/\d+/g)).reduce((sum, [from, to]) => sum + (to - from + 1), 0);
        assert.ok(bytes < SIZE / 2, `${bytes} bytes were read again`);
        assert.deepEqual(asked.filter(({ method, cookie, referer }) => method !== "GET" || cookie || referer), []);
        assert.equal(await page.isVisible("#notices"), false);
    });
});

test("without ranges it is read in one stream as well, and seen closely from a copy", async () => {
    own.put("whole.eventlog", { log: LONG, ranges: false });
    await opening(beside("whole.eventlog"), async (page) => {
        await state(page, "ready");
        await lookClosely(page);
        assert.equal(own.of("whole.eventlog").length, 1);
        assert.equal(await page.isVisible("#notices"), false);
    });
});

test("a short log is not asked for again", async () => {
    own.put("short.eventlog", { log: LOG });
    await opening(beside("short.eventlog"), async (page) => {
        await state(page, "ready");
        await lookClosely(page);
        assert.equal(own.of("short.eventlog").length, 1);
    });
});

test("a very long log is seen as a whole by ranges before its stream has come", async () => {
    const path = join(folder, "very-long.eventlog");
    writeLarge(path, 300e6);
    let goOn;
    own.put("very-long.eventlog", { log: path, hold: { at: 20 << 20, until: new Promise((go) => (goOn = go)) } });
    await opening(beside("very-long.eventlog"), async (page) => {
        await until(() => page.textContent("#progress-text"), (text) => /paler parts are a preview/.test(text));
        assert.ok(parts(own.of("very-long.eventlog")).length >= 4);
        goOn();
        await state(page, "ready");
        assert.equal(streams(own.of("very-long.eventlog")).length, 1);
    });
    rmSync(path);
});

test("a log whose connection breaks is read on from there", async () => {
    own.put("cut.eventlog", { log: LONG, headers: ETAG, cuts: [5e6, 3e6, 0, 7e6] });
    own.put("whole.eventlog", { log: LONG, headers: ETAG });
    let whole;
    await opening(beside("whole.eventlog"), async (page) => {
        await state(page, "ready");
        whole = [await facts(page), await page.textContent("#summary")];
    });
    await opening(beside("cut.eventlog"), async (page) => {
        await until(() => page.textContent("#progress-text"), (text) => /The connection broke; trying again in (0\.5|1) s$/.test(text));
        await state(page, "ready");
        assert.deepEqual([(await facts(page)).replace("cut", "whole"), await page.textContent("#summary")], whole);
        const from = streams(own.of("cut.eventlog")).map(({ range }) => Number(/\d+/.exec(range)));
        assert.equal(parts(own.of("cut.eventlog")).filter(({ range }) => range.endsWith(`-${SIZE - 1}`)).length + from.length, 5);
        assert.equal(await page.isVisible("#notices"), false);
    });
});

/** Servers that send no more than some bytes of what they are asked for; those that do not show which have no `shows`. */
const CAPPED = {
    "the page's own server": [own, beside, {}],
    "another server that shows which": [others, elsewhere, { shows: ["Content-Range"] }],
    "another server that does not show which": [others, elsewhere, {}],
};
for (const [who, [logs, address, how]] of Object.entries(CAPPED)) {
    /** What is said of a log that is whole. */
    const said = async (url) => {
        let said;
        await opening(url, async (page) => {
            if (logs === others) await page.click("#question-yes");
            await state(page, "ready");
            said = [(await facts(page)).replace(/^\S+/, ""), await page.textContent("#summary")];
            await lookClosely(page);
            assert.equal(await page.isVisible("#notices"), false);
        });
        return said;
    };

    test(`a log of which ${who} sends only the first bytes at a time is read as a whole, without pauses, and seen closely by ranges`, async () => {
        logs.put("all.eventlog", { log: LONG, headers: ETAG, ...how });
        logs.put("capped.eventlog", { log: LONG, headers: ETAG, cap: 1 << 19, ...how });
        const whole = await said(address("all.eventlog"));
        const since = performance.now();
        assert.deepEqual(await said(address("capped.eventlog")), whole);
        assert.ok(performance.now() - since < (SIZE / (1 << 19)) * 500, "it waited before each part");
        const last = logs.of("capped.eventlog").at(-1);
        assert.match(last.range, /-\d+$/);
    });

    test(`a short log of which ${who} sends only the first bytes at a time is read as a whole, compressed or not`, async () => {
        for (const [name, log] of Object.entries({ "short.eventlog": LOG, "short.eventlog.gz": gzipSync(LOG) })) {
            logs.put(`all.${name}`, { log, headers: ETAG, ...how });
            logs.put(`capped.${name}`, { log, headers: ETAG, cap: CAP_OF_SHORT, ...how });
            const whole = await said(address(`all.${name}`));
            assert.deepEqual(await said(address(`capped.${name}`)), whole);
            assert.ok(logs.of(`capped.${name}`).length > 3);
        }
    });
}

test("where it cannot be read on, what has come is kept, and a notice says so", async () => {
    own.put("ends.eventlog", { log: LONG, ranges: false, cuts: [5e6] });
    own.put("changes.eventlog", { log: LONG, headers: ETAG, cuts: [5e6] });
    const ends = {
        "ends.eventlog": /The connection broke at byte \d.*cannot go on from there/,
        "changes.eventlog": /The log was changed on the server since it was opened/,
    };
    for (const [name, said] of Object.entries(ends)) {
        await opening(beside(name), async (page) => {
            await until(() => own.of(name).length, (asked) => asked > 0);
            if (name.startsWith("changes")) own.put(name, { log: LONG, headers: { ...ETAG, etag: '"2"' } });
            await state(page, "ready");
            await page.waitForSelector("#notices", { state: "visible" });
            assert.match(await notices(page), said);
            assert.match(await notices(page), new RegExp(`Stopped at [\\d.]+ MiB of ${MIB} MiB`));
            assert.match(await facts(page), /[1-9]\S* events/);
        });
    }
});

test("a server that stays away is given up in the end; what had come is kept", async () => {
    own.put("gone.eventlog", { log: LONG, headers: ETAG, cuts: [5e6, ...Array(9).fill(0)] });
    await at("", async (page) => {
        await hurried(page, 10);
        await page.evaluate(() => (location.hash = "#url=logs/gone.eventlog"));
        await state(page, "ready");
        await page.waitForSelector("#notices", { state: "visible" });
        assert.match(await notices(page), /The connection broke at byte .* could not be made again/);
        // What is seen closely then is asked for, too.
        const asked = own.of("gone.eventlog").filter(({ range }) => range === "bytes=0-" || range.endsWith(`-${SIZE - 1}`));
        assert.equal(asked.length, 6);
    });
});

test("a log that changes on the server after it was opened is not mixed with the new one", async () => {
    own.put("changed.eventlog", { log: LONG, headers: ETAG });
    await opening(beside("changed.eventlog"), async (page) => {
        await state(page, "ready");
        own.put("changed.eventlog", { log: LONG, headers: { ...ETAG, "last-modified": "Thu, 22 Oct 2015 07:28:00 GMT" } });
        await page.focus("#timeline");
        for (let press = 0; press < 24; press++) await page.keyboard.press("w");
        await page.waitForSelector("#notices", { state: "visible" });
        assert.match(await notices(page), /was changed on the server since it was opened/);
        assert.equal(await page.getAttribute("html", "data-state"), "ready");
    });
});

test("parts are asked for again where their connection breaks", async () => {
    own.put("shaky.eventlog", { log: LONG, headers: ETAG });
    await opening(beside("shaky.eventlog"), async (page) => {
        await state(page, "ready");
        own.put("shaky.eventlog", { log: LONG, headers: ETAG, cuts: Array(8).fill(100) });
        await lookClosely(page);
        const ranges = () => parts(own.of("shaky.eventlog")).map(({ range }) => range);
        await until(ranges, (ranges) => new Set(ranges).size < ranges.length);
        await until(() => own.of("shaky.eventlog").at(-1).ended, (ended) => ended === "whole");
        assert.equal(await page.isVisible("#notices"), false);
    });
});

test("a log of another server is opened when the reader agrees, who sees which server that is", async () => {
    others.put("far.eventlog", { log: LONG, headers: ETAG });
    await opening(elsewhere("far.eventlog"), async (page) => {
        await state(page, "asking");
        assert.equal(await page.textContent("#question-title"), `Open a log from ${new URL(other.origin).host}?`);
        assert.equal(await page.evaluate(() => document.activeElement.id), "question-title");
        assert.equal(others.of("far.eventlog").length, 0);
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await state(page, "ready");
        await lookClosely(page);
        const asked = others.of("far.eventlog");
        // Which bytes an answer has is not shown to pages from elsewhere: whether more follows, or any part is sent, is tried first.
        assert.deepEqual(streams(asked).map(({ range }) => range), ["bytes=0-", `bytes=${SIZE - 16}-`]);
        assert.ok(parts(asked).length > 0);
        assert.deepEqual(asked.filter(({ method, cookie, referer }) => method !== "GET" || cookie || referer), []);
    });
});

test("a server that shows which bytes it sends need not be tried", async () => {
    others.put("shown.eventlog", { log: LONG, headers: ETAG, shows: ["Content-Range", "ETag"] });
    await opening(elsewhere("shown.eventlog"), async (page) => {
        await page.click("#question-yes");
        await state(page, "ready");
        assert.deepEqual(parts(others.of("shown.eventlog")), []);
        others.put("shown.eventlog", { log: LONG, headers: { ...ETAG, etag: '"2"' }, shows: ["ETag"] });
        await page.focus("#timeline");
        for (let press = 0; press < 24; press++) await page.keyboard.press("w");
        await page.waitForSelector("#notices", { state: "visible" });
        assert.match(await notices(page), /was changed on the server/);
    });
});

test("it is not opened, and the server not asked, when the reader does not agree", async () => {
    others.put("unwanted.eventlog", { log: LOG });
    const ways = [
        (page) => page.keyboard.press("Escape"),
        (page) => page.mouse.click(900, 600).then(() => page.keyboard.press("Escape")),
        (page) => page.click("#question-no"),
    ];
    for (const refuse of ways) {
        await opening(elsewhere("unwanted.eventlog"), async (page) => {
            await state(page, "asking");
            await refuse(page);
            await state(page, "empty");
            assert.equal(others.of("unwanted.eventlog").length, 0);
        });
    }
});

test("what is open stays so while the reader is asked, and when he does not agree", async () => {
    await at("", async (page) => {
        await page.setInputFiles("#open-file", corpus("single"));
        await state(page, "ready");
        await page.evaluate((url) => (location.hash = `#url=${url}`), elsewhere("unwanted.eventlog"));
        await state(page, "asking");
        await page.keyboard.press("Escape");
        await state(page, "ready");
        assert.equal(await page.textContent("#program"), "./single");
    });
});

test("what the reader refused leaves nothing: neither its times, nor its address, and its link asks once more", async () => {
    await at("", async (page) => {
        await page.setInputFiles("#open-file", corpus("single"));
        await state(page, "ready");
        const link = `#url=${encodeURIComponent(elsewhere("unwanted.eventlog"))}&t0=100000&t1=200000&panel=gc`;
        for (let time = 0; time < 2; time++) {
            await page.evaluate((link) => (location.hash = link), link);
            await state(page, "asking");
            assert.equal(await page.evaluate(() => document.querySelector("ghc-eventlog-viewer").getAttribute("t0")), null);
            await page.keyboard.press("Escape");
            await state(page, "ready");
            assert.doesNotMatch(await page.evaluate(() => location.hash), /url=|t0=/);
        }
        // Nor do the times of the log that stayed become those of the address.
        await page.focus("#timeline");
        await page.keyboard.press("w");
        await page.waitForTimeout(300);
        assert.doesNotMatch(await page.evaluate(() => location.hash), /t0=/);
        assert.equal(others.of("unwanted.eventlog").length, 0);
    });
});

test("Escape closes the help that is open above the question, and answers nothing", async () => {
    await opening(elsewhere("unwanted.eventlog"), async (page) => {
        await state(page, "asking");
        await page.keyboard.press("?");
        await page.waitForSelector("#help[open]");
        await page.keyboard.press("Escape");
        await page.waitForSelector("#help:not([open])", { state: "attached" });
        await state(page, "asking");
        // Whoever takes the address back takes the question back.
        await page.evaluate(() => (location.hash = ""));
        await state(page, "empty");
    });
});

test("a log that was closed opens again by its link", async () => {
    own.put("again.eventlog", { log: LOG });
    await opening(beside("again.eventlog"), async (page) => {
        await state(page, "ready");
        const { hash } = await page.evaluate(() => ({ hash: location.hash }));
        await page.click("#close");
        await state(page, "empty");
        await page.evaluate((hash) => (location.hash = hash), hash);
        await state(page, "ready");
    });
});

test("where the page's own server sends one to itself, nobody is asked; what is seen closely comes from there", async () => {
    own.put("renamed.eventlog", { log: LONG, location: "/logs/plain.eventlog" });
    own.put("plain.eventlog", { log: LONG, headers: ETAG });
    await opening(beside("renamed.eventlog"), async (page) => {
        await state(page, "ready");
        assert.equal(own.of("renamed.eventlog").length, 1);
        await lookClosely(page);
        assert.ok(parts(own.of("plain.eventlog")).length > 0);
        assert.equal(await page.isVisible("#notices"), false);
    });
});

/** Logs that another server than the one of their address has, by who has that address: whom nobody asks before the reader agrees. */
const MOVED = {
    "the page's own server": {
        address: beside("moved.eventlog"),
        from: own,
        before: 0,
        sends: /^Let this page's server send you to another server\?$/,
    },
    "another server": {
        address: elsewhere("moved.eventlog"),
        from: others,
        before: 1,
        sends: new RegExp(`^Let ${new URL(other.origin).host} send you to another server\\?$`),
    },
};
const title = (page) => page.textContent("#question-title");
for (const [who, { address, from, before, sends }] of Object.entries(MOVED)) {
    const put = (name) => {
        thirds.put(name, { log: LONG, headers: ETAG });
        from.put("moved.eventlog", { log: LOG, location: `${third.origin}/logs/${name}` });
    };
    const agree = async (page) => {
        await state(page, "asking");
        await page.click("#question-yes");
    };
    const isAsked = (page, expected) => until(() => title(page), (text) => expected.test(text));
    /** Agrees to all that is asked before it is known that the server sends one elsewhere. */
    const opened = (body) =>
        opening(address, async (page) => {
            for (let time = 0; time < before; time++) await agree(page);
            await isAsked(page, sends);
            await body(page);
        });

    test(`where ${who} sends one elsewhere, that one is not reached before the reader agrees, and not read before he knows which it is`, async () => {
        put(`target-${before}.eventlog`);
        const asked = () => thirds.of(`target-${before}.eventlog`);
        await opened(async (page) => {
            assert.match(await page.textContent("log-question"), /moved\.eventlog; which one, browsers tell only when it is asked/);
            assert.equal(third.requests.length, 0);
            await page.click("#question-yes");
            await isAsked(page, new RegExp(`^Open a log from ${new URL(third.origin).host}\\?$`));
            assert.equal(await page.evaluate(() => document.activeElement.id), "question-title");
            assert.equal(asked().length, 1);
            await until(() => asked()[0].ended, (ended) => ended === "cut");
            // The second click of a double click was meant for the question before.
            await page.evaluate(() => document.getElementById("question-yes").dispatchEvent(new MouseEvent("click", { detail: 2 })));
            assert.equal(await page.isVisible("#question-yes"), true);
            await page.click("#question-yes");
            await state(page, "ready");
            await lookClosely(page);
            assert.ok(parts(asked()).length > 0);
            assert.equal(await page.isVisible("#notices"), false);
        });
        third.requests.length = 0;
    });

    test(`where ${who} sends one elsewhere, and the reader does not agree, that one is not reached`, async () => {
        put("unwanted.eventlog");
        await opened(async (page) => {
            await page.click("#question-no");
            await state(page, "empty");
        });
        await opened(async (page) => {
            await page.click("#question-yes");
            await isAsked(page, /^Open a log from/);
            third.requests.length = 0;
            await page.keyboard.press("Escape");
            await state(page, "empty");
        });
        assert.equal(third.requests.length, 0);
    });

    test(`where ${who} sends one elsewhere later on, that one is not reached`, async () => {
        from.put("moved.eventlog", { log: LONG, headers: ETAG });
        await opening(address, async (page) => {
            for (let time = 0; time < before; time++) await agree(page);
            await state(page, "ready");
            put("later.eventlog");
            await page.focus("#timeline");
            for (let press = 0; press < 24; press++) await page.keyboard.press("w");
            await page.waitForSelector("#notices", { state: "visible" });
            assert.match(await notices(page), /The server sends elsewhere for it now\. Open it again to be asked about that/);
        });
        assert.equal(third.requests.length, 0);
    });
}

test("a log that came from another place of the page's own server, and is sent elsewhere later on, is not asked for there", async () => {
    own.put("renamed.eventlog", { log: LONG, location: "/logs/plain.eventlog" });
    own.put("plain.eventlog", { log: LONG, headers: ETAG });
    thirds.put("later.eventlog", { log: LONG });
    await at("", async (page) => {
        await hurried(page, 10);
        await page.evaluate(() => (location.hash = "#url=logs/renamed.eventlog"));
        await state(page, "ready");
        own.put("renamed.eventlog", { log: LONG, location: `${third.origin}/logs/later.eventlog` });
        await page.focus("#timeline");
        for (let press = 0; press < 24; press++) await page.keyboard.press("w");
        await page.waitForSelector("#notices", { state: "visible" });
        assert.match(await notices(page), /does not answer any more/);
    });
    assert.equal(third.requests.length, 0);
});

test("a page whose author has written the address asks nobody", async () => {
    others.put("written.eventlog", { log: LOG });
    own.put("page.html", {
        log: Buffer.from(`<!doctype html><script type="module" src="/js/main.js"></script>
            <ghc-eventlog-viewer src="${elsewhere("written.eventlog")}" style="height: 500px"></ghc-eventlog-viewer>`),
        headers: { "content-type": "text/html" },
    });
    await at("logs/page.html", (page) => page.waitForSelector('ghc-eventlog-viewer[data-state="ready"]'));
});

const HOST = new URL(other.origin).host.replaceAll(".", "\\.");
const LOGIN = Buffer.from("\n<!DOCTYPE html><html><body><form>Log in</form></body></html>");
const TROUBLES = {
    "is not there": [beside("missing.eventlog"), {}, /missing\.eventlog cannot be shown\. The server has no such file \(404/],
    "is not for everybody": [beside("secret.eventlog"), { status: 401 }, /does not give it to everybody \(401.*neither passwords nor cookies; download the log in the browser, and drop it here/],
    "is forbidden": [beside("forbidden.eventlog"), { status: 403 }, /\(403/],
    "comes from a server that is overloaded": [beside("busy.eventlog"), { status: 503 }, /cannot answer now \(503.*try again later/],
    "has no such bytes": [beside("short.eventlog"), { status: 416 }, /has no such bytes \(416/],
    "is a page to log in": [beside("login.eventlog"), { log: LOGIN }, /has sent a web page instead of a log, perhaps one to log in/],
    "is an image": [beside("a.png"), { log: Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), headers: { "content-type": "image/png" } }, /not a GHC eventlog/],
    "comes from a server that lets nobody read it": [elsewhere("closed.eventlog"), { allow: null }, new RegExp(`${HOST} cannot be reached, or does not let pages from elsewhere.*Access-Control-Allow-Origin`)],
    "comes from no server": ["http://127.0.0.1:1/a.eventlog", {}, /127\.0\.0\.1:1 cannot be reached/],
    "is nowhere": ["http://[", {}, /This is no address/],
    "is a file": ["file:///etc/hostname", {}, /begin with https or http only/],
    "is a script": ["javascript:alert(1)", {}, /begin with https or http only/],
    "has a password in its address": ["https://me:secret@other.example/a.eventlog", {}, /a user name or a password in its address/],
};
for (const [what, [url, how, said]] of Object.entries(TROUBLES)) {
    test(`what is said of a log that ${what}`, async () => {
        const name = url.split("/").at(-1);
        const [logs, isThere] = [url.startsWith(other.origin) ? others : own, Object.keys(how).length > 0];
        if (isThere) logs.put(name, { log: LOG, ...how });
        await opening(url, async (page) => {
            if (/^http:\/\/127/.test(url)) await page.click("#question-yes");
            assert.match(await error(page), said);
            assert.doesNotMatch(await page.textContent("body"), /secret@/);
            // The next one can be opened.
            await page.setInputFiles("#open-file", corpus("single"));
            await state(page, "ready");
        });
        // No stream that nobody reads is left.
        await until(() => logs.of(name).every(({ ended }) => ended), (all) => all);
    });
}

test("where the policy of the page's server is against it, that is what is said", async () => {
    others.put("policy.eventlog", { log: LOG });
    const strict = await serve(DIST, "/", { headers: { "content-security-policy": "connect-src 'self'" } });
    const context = await browser.newContext();
    try {
        await context.addInitScript(reachIn);
        const page = await context.newPage();
        await page.goto(`${strict.url}#url=${elsewhere("policy.eventlog")}`);
        await page.click("#question-yes");
        assert.match(await error(page), new RegExp(`policy of the server that this page comes from does not let it ask ${HOST}`));
        assert.equal(others.of("policy.eventlog").length, 0);
    } finally {
        await context.close();
        strict.close();
    }
});

const ZST = readFileSync(new URL("../../crates/ghc-eventlog-cli/tests/single.eventlog.zst", import.meta.url));
for (const [form, log] of Object.entries({ gz: gzipSync(LOG), zst: ZST })) {
    test(`a log packed as .${form} is loaded, over interruptions, and opened like a file`, async () => {
        own.put(`packed.eventlog.${form}`, { log, headers: ETAG, cuts: [2000] });
        await opening(beside(`packed.eventlog.${form}`), async (page) => {
            await state(page, "ready");
            assert.match(await facts(page), /unpacked/);
            await lookClosely(page);
            assert.equal(own.of(`packed.eventlog.${form}`).length, 2);
        });
    });
}

test("a log that the server compresses on the way opens, though nobody knows its size", async () => {
    own.put("encoded.eventlog", { log: readFileSync(LONG), packs: true });
    await opening(beside("encoded.eventlog"), async (page) => {
        await state(page, "loading");
        const shown = await until(() => page.textContent("#progress-text"), (text) => /MiB · .* events/.test(text));
        assert.doesNotMatch(shown, / of /);
        assert.equal(await page.getAttribute("#progress", "value"), null);
        await state(page, "ready");
        assert.match(await facts(page), new RegExp(`^encoded\\.eventlog · ${MIB} MiB · `));
        await lookClosely(page);
        // Chromium takes no compressed answer to a request for a range.
        assert.ok(own.of("encoded.eventlog").length <= 2);
    });
});

test("Cancel ends the request at once", async () => {
    own.put("cancelled.eventlog", { log: LONG, hold: { at: 20 << 20, until: new Promise(() => {}) } });
    await opening(beside("cancelled.eventlog"), async (page) => {
        await until(() => page.textContent("#progress-text"), (text) => /^[\d.]+ [KM]iB of/.test(text));
        await page.click("#cancel");
        await state(page, "empty");
        await until(() => own.of("cancelled.eventlog")[0].ended, (ended) => ended === "cut");
    });
});

/** What keeps a stream from going on. */
const WAITS = {
    "nothing comes": { hold: { at: 20 << 20, until: new Promise(() => {}) } },
    "its connection is broken": { cuts: [8e6, ...Array(9).fill(0)] },
};
for (const [how, waits] of Object.entries(WAITS)) {
    test(`Stop here ends a stream while ${how}, and what has come can be seen closely`, async () => {
        own.put("stopped.eventlog", { log: LONG, headers: ETAG, ...waits });
        await opening(beside("stopped.eventlog"), async (page) => {
            const seen = waits.cuts ? / trying again in 4 s$/ : /^[\d.]+ [KM]iB of/;
            await page.waitForFunction((seen) => seen.test(document.getElementById("progress-text").textContent), seen);
            const since = performance.now();
            await page.click("#stop");
            await state(page, "ready");
            assert.ok(performance.now() - since < 3000, "it waited for more");
            own.put("stopped.eventlog", { log: LONG, headers: ETAG });
            await lookClosely(page);
            assert.match(await notices(page), new RegExp(`^\\s*Stopped at [\\d.]+ [KM]iB of ${MIB} MiB`));
        });
    });
}

test("a page of one file says that it loads no logs", async () => {
    await at("viewer.html#url=logs/short.eventlog", async (page) => {
        assert.match(await error(page), /This page of one file loads no logs from servers; download it, and drop it here/);
    });
});

const FIREFOX = process.env.FIREFOX ?? (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "firefox")).find(existsSync);
const WITH_FIREFOX = { skip: !FIREFOX && "there is none" };

/** A page in Firefox that opens a log by its address, and what waits for a state of it. */
async function inFirefox(url, body) {
    const firefox = await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX });
    try {
        const page = await firefox.newPage();
        await page.evaluateOnNewDocument(reachIn);
        await page.goto(`${server.url}#url=${url}`);
        await body(page, (name) => page.waitForSelector(`html[data-state="${name}"]`));
    } finally {
        await firefox.close();
    }
}

test("in Firefox, too, a log of another server is asked about, read over interruptions, and seen closely by ranges", WITH_FIREFOX, async () => {
    // The second answer is that to what is tried first.
    others.put("firefox.eventlog", { log: LONG, headers: ETAG, cuts: [5e6, Infinity, 3e6] });
    await inFirefox(elsewhere("firefox.eventlog"), async (page, at) => {
        await at("asking");
        assert.equal(others.of("firefox.eventlog").length, 0);
        await (await page.$("pierce/#question-yes")).click();
        await at("ready");
        const resumed = parts(others.of("firefox.eventlog")).length;
        assert.ok(resumed >= 2);
        await (await page.$("pierce/#timeline")).focus();
        for (let press = 0; press < 24; press++) await page.keyboard.press("w");
        await page.keyboard.press(".");
        await until(() => page.evaluate(() => document.querySelectorAll("#details dl").length), (there) => there);
        const asked = others.of("firefox.eventlog");
        assert.deepEqual(streams(asked).map(({ range }) => range), ["bytes=0-", `bytes=${SIZE - 16}-`]);
        assert.ok(parts(asked).length > resumed, JSON.stringify(asked));
        assert.deepEqual(asked.filter(({ method, cookie, referer }) => method !== "GET" || cookie || referer), []);
        assert.match(await page.evaluate(() => document.querySelector("#facts").textContent), new RegExp(`^firefox\\.eventlog · ${MIB} MiB`));
    });
});

test("in Firefox, too, no other server is reached before the reader agrees", WITH_FIREFOX, async () => {
    thirds.put("firefox.eventlog", { log: LOG });
    for (const [logs, address, before] of [[own, beside, 0], [others, elsewhere, 1]]) {
        logs.put("moved.eventlog", { log: LOG, location: `${third.origin}/logs/firefox.eventlog` });
        third.requests.length = 0;
        await inFirefox(address("moved.eventlog"), async (page, at) => {
            const questions = [/^Let .* send you to another server/, /^Open a log from/];
            for (const question of [...questions.slice(2 - before), ...questions]) {
                const shown = () => page.evaluate(() => document.getElementById("question-title")?.textContent ?? "");
                await until(shown, (text) => question.test(text));
                if (question === questions[0]) assert.equal(third.requests.length, 0);
                await (await page.$("pierce/#question-yes")).click();
            }
            await at("ready");
        });
        assert.equal(thirds.of("firefox.eventlog").length > 0, true);
    }
});
