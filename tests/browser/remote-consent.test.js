// Logs on other servers: the questions to the user, and that no server is contacted before the answer.

import { test } from "node:test";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import puppeteer from "puppeteer-core";
import { corpus, state } from "./support/page.js";
import { reachIn } from "./support/reach.js";
import { until } from "./support/see.js";
import {
    server,
    other,
    third,
    own,
    others,
    thirds,
    LOG,
    LONG,
    SIZE,
    MIB,
    ETAG,
    at,
    opening,
    beside,
    elsewhere,
    notices,
    streams,
    parts,
    lookClosely,
    hurried,
} from "./support/remote.js";

test("a log on another server is opened when the user agrees, who sees which server it is", async () => {
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
        // Pages from elsewhere cannot see which bytes an answer has, so the page first tries whether more follows, and whether ranges work.
        assert.deepEqual(
            streams(asked).map(({ range }) => range),
            ["bytes=0-", `bytes=${SIZE - 16}-`],
        );
        assert.ok(parts(asked).length > 0);
        assert.deepEqual(
            asked.filter(({ method, cookie, referer }) => method !== "GET" || cookie || referer),
            [],
        );
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

test("it is not opened, and the server not contacted, when the user does not agree", async () => {
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

test("the open log stays while the user is asked, and after a refusal", async () => {
    await at("", async (page) => {
        await page.setInputFiles("#open-file", corpus("single"));
        await state(page, "ready");
        await page.evaluate((url) => (location.hash = `#url=${url}`), elsewhere("unwanted.eventlog"));
        await state(page, "asking");
        await page.keyboard.press("Escape");
        await state(page, "ready");
        assert.equal(await page.textContent("#program"), "single");
    });
});

test("a refused log leaves nothing: neither its times nor its address, and its link asks again", async () => {
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
        // The log that stayed does not get the times from the address.
        await page.focus("#timeline");
        await page.keyboard.press("w");
        await page.waitForTimeout(300);
        assert.doesNotMatch(await page.evaluate(() => location.hash), /t0=/);
        assert.equal(others.of("unwanted.eventlog").length, 0);
    });
});

test("Escape closes the help above the question, and does not answer it", async () => {
    await opening(elsewhere("unwanted.eventlog"), async (page) => {
        await state(page, "asking");
        await page.keyboard.press("?");
        await page.waitForSelector("#help[open]");
        await page.keyboard.press("Escape");
        await page.waitForSelector("#help:not([open])", { state: "attached" });
        await state(page, "asking");
        // Removing the address removes the question.
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

test("a redirect within the page's own server asks nothing, and parts are requested from there", async () => {
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

/**
 * Logs that are redirected to another server, by the server that redirects. That other server must not be contacted before the user agrees.
 */
const MOVED = {
    "the page's own server": {
        address: beside("moved.eventlog"),
        from: own,
        before: 0,
        sends: /^Let this page's server redirect to another server\?$/,
    },
    "another server": {
        address: elsewhere("moved.eventlog"),
        from: others,
        before: 1,
        sends: new RegExp(`^Let ${new URL(other.origin).host} redirect to another server\\?$`),
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
    const isAsked = (page, expected) =>
        until(
            () => title(page),
            (text) => expected.test(text),
        );
    /** Agrees to all questions before the one about the redirect. */
    const opened = (body) =>
        opening(address, async (page) => {
            for (let time = 0; time < before; time++) await agree(page);
            await isAsked(page, sends);
            await body(page);
        });

    test(`if ${who} redirects, the target is not reached before the user agrees, and not read before the user knows its name`, async () => {
        put(`target-${before}.eventlog`);
        const asked = () => thirds.of(`target-${before}.eventlog`);
        await opened(async (page) => {
            assert.match(await page.textContent("log-question"), /moved\.eventlog\. The browser says which one only after contacting it/);
            assert.equal(third.requests.length, 0);
            await page.click("#question-yes");
            await isAsked(page, new RegExp(`^Open a log from ${new URL(third.origin).host}\\?$`));
            assert.equal(await page.evaluate(() => document.activeElement.id), "question-title");
            assert.equal(asked().length, 1);
            await until(
                () => asked()[0].ended,
                (ended) => ended === "cut",
            );
            // The second click of a double click belongs to the question before.
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

    test(`if ${who} redirects, and the user refuses, the target is not reached`, async () => {
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

    test(`if ${who} redirects later on, the target is not reached`, async () => {
        from.put("moved.eventlog", { log: LONG, headers: ETAG });
        await opening(address, async (page) => {
            for (let time = 0; time < before; time++) await agree(page);
            await state(page, "ready");
            put("later.eventlog");
            await page.focus("#timeline");
            for (let press = 0; press < 24; press++) await page.keyboard.press("w");
            await page.waitForSelector("#notices", { state: "visible" });
            assert.match(await notices(page), /The server now redirects elsewhere\. Open it again to be asked about that/);
        });
        assert.equal(third.requests.length, 0);
    });
}

test("a log redirected within the page's own server, and elsewhere later on, is not requested there", async () => {
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
        assert.match(await notices(page), /no longer answers/);
    });
    assert.equal(third.requests.length, 0);
});

test("a page whose author set the address does not ask the user", async () => {
    others.put("written.eventlog", { log: LOG });
    own.put("page.html", {
        log: Buffer.from(`<!doctype html><script type="module" src="/js/main.js"></script>
            <ghc-eventlog-viewer src="${elsewhere("written.eventlog")}" style="height: 500px"></ghc-eventlog-viewer>`),
        headers: { "content-type": "text/html" },
    });
    await at("logs/page.html", (page) => page.waitForSelector('ghc-eventlog-viewer[data-state="ready"]'));
});

const FIREFOX =
    process.env.FIREFOX ??
    (process.env.PATH ?? "")
        .split(delimiter)
        .map((folder) => join(folder, "firefox"))
        .find(existsSync);
const WITH_FIREFOX = { skip: !FIREFOX && "there is none" };

/** A page in Firefox that opens a log by its address, and a function that waits for its state. */
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

test(
    "in Firefox, too, the user is asked about a log on another server, which is read over interruptions, and in detail by ranges",
    WITH_FIREFOX,
    async () => {
        // The second answer is to the first try of a range.
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
            await until(
                () => page.evaluate(() => document.querySelectorAll("#details dl").length),
                (there) => there,
            );
            const asked = others.of("firefox.eventlog");
            assert.deepEqual(
                streams(asked).map(({ range }) => range),
                ["bytes=0-", `bytes=${SIZE - 16}-`],
            );
            assert.ok(parts(asked).length > resumed, JSON.stringify(asked));
            assert.deepEqual(
                asked.filter(({ method, cookie, referer }) => method !== "GET" || cookie || referer),
                [],
            );
            assert.match(
                await page.evaluate(() => document.querySelector("#facts").textContent),
                new RegExp(`^firefox\\.eventlog · ${MIB} MiB`),
            );
        });
    },
);

test("in Firefox, too, no other server is reached before the user agrees", WITH_FIREFOX, async () => {
    thirds.put("firefox.eventlog", { log: LOG });
    for (const [logs, address, before] of [
        [own, beside, 0],
        [others, elsewhere, 1],
    ]) {
        logs.put("moved.eventlog", { log: LOG, location: `${third.origin}/logs/firefox.eventlog` });
        third.requests.length = 0;
        await inFirefox(address("moved.eventlog"), async (page, at) => {
            const questions = [/^Let .* redirect to another server/, /^Open a log from/];
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
