// Logs on servers that break, change or do not come: what the page says, and what it keeps.

import { test } from "node:test";
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { corpus, state } from "./support/page.js";
import { writeLarge } from "./support/eventlog.js";
import { reachIn } from "./support/reach.js";
import { serve } from "./support/server.js";
import { until } from "./support/see.js";
import {
    browser,
    folder,
    other,
    own,
    others,
    LOG,
    LONG,
    SIZE,
    MIB,
    ETAG,
    DIST,
    at,
    opening,
    beside,
    elsewhere,
    facts,
    notices,
    error,
    parts,
    lookClosely,
    hurried,
    HOST,
} from "./support/remote.js";

test("if reading cannot go on, what has come is kept, and a notice says so", async () => {
    own.put("ends.eventlog", { log: LONG, ranges: false, cuts: [5e6] });
    own.put("changes.eventlog", { log: LONG, headers: ETAG, cuts: [5e6] });
    const ends = {
        "ends.eventlog": /The connection broke at byte \d.*cannot go on from there/,
        "changes.eventlog": /The log was changed on the server since it was opened/,
    };
    for (const [name, said] of Object.entries(ends)) {
        await opening(beside(name), async (page) => {
            await until(
                () => own.of(name).length,
                (asked) => asked > 0,
            );
            if (name.startsWith("changes")) own.put(name, { log: LONG, headers: { ...ETAG, etag: '"2"' } });
            await state(page, "ready");
            await page.waitForSelector("#notices", { state: "visible" });
            assert.match(await notices(page), said);
            assert.match(await notices(page), new RegExp(`Stopped at [\\d.]+ MiB of ${MIB} MiB`));
            assert.match(await facts(page), /[1-9]\S* events/);
        });
    }
});

test("a server that does not come back is given up in the end; what has come is kept", async () => {
    own.put("gone.eventlog", { log: LONG, headers: ETAG, cuts: [5e6, ...Array(9).fill(0)] });
    await at("", async (page) => {
        await hurried(page, 10);
        await page.evaluate(() => (location.hash = "#url=logs/gone.eventlog"));
        await state(page, "ready");
        await page.waitForSelector("#notices", { state: "visible" });
        assert.match(await notices(page), /The connection broke at byte .* could not be restored/);
        // Then details are requested, too.
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

/** As long as the long one, and as similar as another run of the same program. */
const ANOTHER = join(folder, "another.eventlog");
writeLarge(ANOTHER, 24e6, 1000);

test("a log replaced by another one of the same length, without a sign from the server, is noticed by its events", async () => {
    own.put("replaced.eventlog", { log: LONG });
    await opening(beside("replaced.eventlog"), async (page) => {
        await state(page, "ready");
        const before = await facts(page);
        assert.equal(statSync(ANOTHER).size, SIZE);
        own.put("replaced.eventlog", { log: ANOTHER });
        await page.focus("#timeline");
        for (let press = 0; press < 24; press++) await page.keyboard.press("w");
        await page.waitForSelector("#notices", { state: "visible" });
        assert.match(await notices(page), /log was changed after it was opened. Open it again to see all of it/);
        assert.equal(await facts(page), before);
        // The open log stays, and the page works.
        await page.setInputFiles("#open-file", corpus("single"));
        await until(
            () => facts(page),
            (text) => text !== before,
        );
        await state(page, "ready");
    });
});

test("parts are requested again if their connection breaks", async () => {
    own.put("shaky.eventlog", { log: LONG, headers: ETAG });
    await opening(beside("shaky.eventlog"), async (page) => {
        await state(page, "ready");
        own.put("shaky.eventlog", { log: LONG, headers: ETAG, cuts: Array(8).fill(100) });
        await lookClosely(page);
        // The last request of all may be one that the page has ended, as nobody wanted its bytes any more.
        const ends = (end) => parts(own.of("shaky.eventlog")).filter(({ ended }) => ended === end);
        await until(
            () => ends("whole").some(({ range }) => ends("cut").some((cut) => cut.range === range)),
            (isMended) => isMended,
        );
        assert.equal(await page.isVisible("#notices"), false);
    });
});

const LOGIN = Buffer.from("\n<!DOCTYPE html><html><body><form>Log in</form></body></html>");
const TROUBLES = {
    "is not there": [beside("missing.eventlog"), {}, /missing\.eventlog cannot be shown\. The server has no such file \(404/],
    "is not for everybody": [
        beside("secret.eventlog"),
        { status: 401 },
        /does not give it to everyone \(401.*no passwords or cookies; download the log in the browser, and drop it here/,
    ],
    "is forbidden": [beside("forbidden.eventlog"), { status: 403 }, /\(403/],
    "comes from a server that is overloaded": [beside("busy.eventlog"), { status: 503 }, /cannot answer now \(503.*try again later/],
    "has no such bytes": [beside("short.eventlog"), { status: 416 }, /does not have these bytes \(416/],
    "is a page to log in": [beside("login.eventlog"), { log: LOGIN }, /has sent a web page instead of a log, perhaps one to log in/],
    "is an image": [
        beside("a.png"),
        { log: Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), headers: { "content-type": "image/png" } },
        /not a GHC eventlog/,
    ],
    "comes from a server that lets nobody read it": [
        elsewhere("closed.eventlog"),
        { allow: null },
        new RegExp(`${HOST} cannot be reached, or does not let other sites' pages.*Access-Control-Allow-Origin`),
    ],
    "comes from no server": ["http://127.0.0.1:1/a.eventlog", {}, /127\.0\.0\.1:1 cannot be reached/],
    "is nowhere": ["http://[", {}, /This is not an address/],
    "is a file": ["file:///etc/hostname", {}, /only be loaded from addresses that begin with https or http/],
    "is a script": ["javascript:alert(1)", {}, /only be loaded from addresses that begin with https or http/],
    "has a password in its address": ["https://me:secret@other.example/a.eventlog", {}, /contains a user name or a password/],
};
for (const [what, [url, how, said]] of Object.entries(TROUBLES)) {
    test(`the page explains a log that ${what}`, async () => {
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
        // No unread stream is left.
        await until(
            () => logs.of(name).every(({ ended }) => ended),
            (all) => all,
        );
    });
}

test("if the policy of the page's server forbids it, the page says so", async () => {
    others.put("policy.eventlog", { log: LOG });
    const strict = await serve(DIST, "/", { headers: { "content-security-policy": "connect-src 'self'" } });
    const context = await browser.newContext();
    try {
        await context.addInitScript(reachIn);
        const page = await context.newPage();
        await page.goto(`${strict.url}#url=${elsewhere("policy.eventlog")}`);
        await page.click("#question-yes");
        assert.match(await error(page), new RegExp(`policy of this page's server does not let it contact ${HOST}`));
        assert.equal(others.of("policy.eventlog").length, 0);
    } finally {
        await context.close();
        strict.close();
    }
});
