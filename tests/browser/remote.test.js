// Logs on servers: how they are requested and read.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { corpus, state } from "./support/page.js";
import { until } from "./support/see.js";
import { writeLarge } from "./support/eventlog.js";
import {
    folder,
    own,
    others,
    LOG,
    LONG,
    CAP_OF_SHORT,
    SIZE,
    MIB,
    ETAG,
    at,
    opening,
    beside,
    elsewhere,
    facts,
    notices,
    error,
    streams,
    parts,
    lookClosely,
} from "./support/remote.js";

test("a log beside the page is opened at once, read in one stream, and in detail by ranges", async () => {
    own.put("long.eventlog", { log: LONG, headers: ETAG });
    await opening(beside("long.eventlog"), async (page) => {
        await state(page, "ready");
        assert.match(await facts(page), new RegExp(`^long\\.eventlog · ${MIB} MiB · `));
        assert.deepEqual(
            streams(own.of("long.eventlog")).map(({ range, ended }) => [range, ended]),
            [["bytes=0-", "whole"]],
        );
        await lookClosely(page);
        const asked = own.of("long.eventlog");
        assert.equal(streams(asked).length, 1);
        assert.ok(parts(asked).length > 0, "no part was asked for");
        const bytes = parts(asked)
            .map(({ range }) => range.match(/\d+/g))
            .reduce((sum, [from, to]) => sum + (to - from + 1), 0);
        assert.ok(bytes < SIZE / 2, `${bytes} bytes were read again`);
        assert.deepEqual(
            asked.filter(({ method, cookie, referer }) => method !== "GET" || cookie || referer),
            [],
        );
        assert.equal(await page.isVisible("#notices"), false);
    });
});

test("without ranges it is also read in one stream, and in detail from a copy", async () => {
    own.put("whole.eventlog", { log: LONG, ranges: false });
    await opening(beside("whole.eventlog"), async (page) => {
        await state(page, "ready");
        await lookClosely(page);
        assert.equal(own.of("whole.eventlog").length, 1);
        assert.equal(await page.isVisible("#notices"), false);
    });
});

test("a short log is not requested again", async () => {
    own.put("short.eventlog", { log: LOG });
    await opening(beside("short.eventlog"), async (page) => {
        await state(page, "ready");
        await lookClosely(page);
        assert.equal(own.of("short.eventlog").length, 1);
    });
});

test("a very long log is shown as a whole by ranges before its stream has come", async () => {
    const path = join(folder, "very-long.eventlog");
    writeLarge(path, 300e6);
    let goOn;
    own.put("very-long.eventlog", { log: path, hold: { at: 20 << 20, until: new Promise((go) => (goOn = go)) } });
    await opening(beside("very-long.eventlog"), async (page) => {
        await until(
            () => page.textContent("#progress-text"),
            (text) => /paler parts are a preview/.test(text),
        );
        // The first of its parts is already a preview.
        await until(
            () => parts(own.of("very-long.eventlog")).length,
            (count) => count >= 4,
        );
        goOn();
        await state(page, "ready");
        assert.equal(streams(own.of("very-long.eventlog")).length, 1);
    });
    rmSync(path);
});

test("if the connection breaks, reading goes on from there", async () => {
    own.put("cut.eventlog", { log: LONG, headers: ETAG, cuts: [5e6, 3e6, 0, 7e6] });
    own.put("whole.eventlog", { log: LONG, headers: ETAG });
    let whole;
    await opening(beside("whole.eventlog"), async (page) => {
        await state(page, "ready");
        whole = [await facts(page), await page.textContent("#summary")];
    });
    await opening(beside("cut.eventlog"), async (page) => {
        await until(
            () => page.textContent("#progress-text"),
            (text) => /The connection broke; trying again in (0\.5|1) s$/.test(text),
        );
        await state(page, "ready");
        assert.deepEqual([(await facts(page)).replace("cut", "whole"), await page.textContent("#summary")], whole);
        const from = streams(own.of("cut.eventlog")).map(({ range }) => Number(/\d+/.exec(range)));
        assert.equal(parts(own.of("cut.eventlog")).filter(({ range }) => range.endsWith(`-${SIZE - 1}`)).length + from.length, 5);
        assert.equal(await page.isVisible("#notices"), false);
    });
});

/** Servers that send at most `cap` bytes of what they are asked for; without `shows`, pages cannot see which. */
const CAPPED = {
    "the page's own server": [own, beside, {}],
    "another server that shows which": [others, elsewhere, { shows: ["Content-Range"] }],
    "another server that does not show which": [others, elsewhere, {}],
};
for (const [who, [logs, address, how]] of Object.entries(CAPPED)) {
    /** The texts about a log that is complete. */
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

    test(`a log of which ${who} sends only the first bytes at a time is read completely, without pauses, and in detail by ranges`, async () => {
        logs.put("all.eventlog", { log: LONG, headers: ETAG, ...how });
        logs.put("capped.eventlog", { log: LONG, headers: ETAG, cap: 1 << 19, ...how });
        const whole = await said(address("all.eventlog"));
        const since = performance.now();
        assert.deepEqual(await said(address("capped.eventlog")), whole);
        assert.ok(performance.now() - since < (SIZE / (1 << 19)) * 500, "it waited before each part");
        const last = logs.of("capped.eventlog").at(-1);
        assert.match(last.range, /-\d+$/);
    });

    test(`a short log of which ${who} sends only the first bytes at a time is read completely, compressed or not`, async () => {
        for (const [name, log] of Object.entries({ "short.eventlog": LOG, "short.eventlog.gz": gzipSync(LOG) })) {
            logs.put(`all.${name}`, { log, headers: ETAG, ...how });
            logs.put(`capped.${name}`, { log, headers: ETAG, cap: CAP_OF_SHORT, ...how });
            const whole = await said(address(`all.${name}`));
            assert.deepEqual(await said(address(`capped.${name}`)), whole);
            assert.ok(logs.of(`capped.${name}`).length > 3);
        }
    });
}

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

test("a log that the server compresses opens, although its size is not known", async () => {
    own.put("encoded.eventlog", { log: readFileSync(LONG), packs: true });
    await opening(beside("encoded.eventlog"), async (page) => {
        await state(page, "loading");
        const shown = await until(
            () => page.textContent("#progress-text"),
            (text) => /MiB · .* events/.test(text),
        );
        assert.doesNotMatch(shown, / of /);
        assert.equal(await page.getAttribute("#progress", "value"), null);
        await state(page, "ready");
        assert.match(await facts(page), new RegExp(`^encoded\\.eventlog · ${MIB} MiB · `));
        await lookClosely(page);
        // Chromium accepts no compressed answer to a request for a range.
        assert.ok(own.of("encoded.eventlog").length <= 2);
    });
});

test("Cancel ends the request at once", async () => {
    own.put("cancelled.eventlog", { log: LONG, hold: { at: 20 << 20, until: new Promise(() => {}) } });
    await opening(beside("cancelled.eventlog"), async (page) => {
        await until(
            () => page.textContent("#progress-text"),
            (text) => /^[\d.]+ [KM]iB of/.test(text),
        );
        await page.click("#cancel");
        await state(page, "empty");
        await until(
            () => own.of("cancelled.eventlog")[0].ended,
            (ended) => ended === "cut",
        );
    });
});

/** Reasons why a stream does not go on. */
const WAITS = {
    "nothing comes": { hold: { at: 20 << 20, until: new Promise(() => {}) } },
    "its connection is broken": { cuts: [8e6, ...Array(9).fill(0)] },
};
for (const [how, waits] of Object.entries(WAITS)) {
    test(`Stop here ends a stream while ${how}, and what has come can be shown in detail`, async () => {
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

test("a link to another log, while one is open, folds what it says, and that stays in the address", async () => {
    own.put("first.eventlog", { log: LOG });
    own.put("second.eventlog", { log: readFileSync(corpus("sparks")) });
    await opening(beside("first.eventlog"), async (page) => {
        const folded = (group) => page.$eval(`.heading button[data-group="${group}"]`, (heading) => heading.ariaExpanded === "false");
        const program = (name) => page.waitForFunction((name) => document.getElementById("program").textContent === name, name);
        const go = async (hash, name) => {
            await page.evaluate((hash) => (location.hash = hash), hash);
            await program(name);
            await state(page, "ready");
        };
        await state(page, "ready");
        await page.click('.heading button[data-group="gc"]');
        await until(
            () => folded("gc"),
            (folded) => folded,
        );
        await go("#url=logs/second.eventlog&tracks=-caps", "sparks");
        assert.deepEqual([await folded("caps"), await folded("gc")], [true, false]);
        assert.match(page.url(), /tracks=-caps/);
        // A link that says nothing: another program has its own folds, which are none.
        await go("#url=logs/first.eventlog", "threaded");
        assert.deepEqual([await folded("caps"), await folded("gc")], [false, false]);
        // A link to a log that cannot be had says nothing about the next one.
        await page.evaluate(() => (location.hash = "#url=logs/none.eventlog&tracks=-caps"));
        await error(page);
        await page.setInputFiles("#open-file", corpus("sparks"));
        await program("sparks");
        await state(page, "ready");
        assert.equal(await folded("caps"), false);
    });
});

test("a page of one file says that it loads no logs", async () => {
    await at("viewer.html#url=logs/short.eventlog", async (page) => {
        assert.match(await error(page), /This page of one file loads no logs from servers; download it, and drop it here/);
    });
});
