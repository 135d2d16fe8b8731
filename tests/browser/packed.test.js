// Compressed logs and archives.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { choose, corpus, file, onPage, state } from "./support/page.js";
import { lane, until } from "./support/see.js";

const LOG = readFileSync(corpus("single"));
const OTHER = readFileSync(corpus("threaded"));

/** The same log, compressed by the real `zstd -19`. */
const ZST = readFileSync(new URL("../../crates/ghc-eventlog-cli/tests/single.eventlog.zst", import.meta.url));

const zip = (entries) => zipSync(Object.fromEntries(Object.entries(entries).map(([name, bytes]) => [name, new Uint8Array(bytes)])));

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");

const facts = (page) => page.evaluate(() => document.getElementById("facts").textContent);
const notices = (page) => page.evaluate(() => document.getElementById("notices").textContent);
const picture = async (page) => (await lane(page, "Capability 0")).roles.join();

/** What the page shows of a log, except its file's name and size. */
async function seen(page) {
    const events = (await facts(page)).match(/[\d\s]+ events/)?.[0];
    return { events, picture: await picture(page), summary: await page.textContent("#summary"), notices: await notices(page) };
}

async function opened(page, name, bytes) {
    await choose(page, file(name, bytes));
    await state(page, "ready");
    // The first picture may be coarser.
    let last = "";
    await until(
        () => seen(page),
        (now) => {
            const settled = now.picture.includes("running") && JSON.stringify(now) === last;
            last = JSON.stringify(now);
            return settled;
        },
    );
    return seen(page);
}

const FORMS = {
    gzip: gzipSync(LOG),
    "gzip of two members": Buffer.concat([gzipSync(LOG.subarray(0, 5000)), gzipSync(LOG.subarray(5000))]),
    zstd: ZST,
    zip: zip({ "folder/a.eventlog": LOG, "readme.txt": Buffer.from("hello") }),
    "zip with a gzip in it": zip({ "a.eventlog.gz": gzipSync(LOG) }),
    "zip with a zstd in it": zip({ "a.eventlog.zst": ZST }),
    "zip whose log has another name": zip({ "profile.bin": LOG, "readme.txt": Buffer.from("hello") }),
};

for (const [form, bytes] of Object.entries(FORMS)) {
    onPage(`a log packed as ${form} shows what the log itself shows`, { unpacks: true }, async (page) => {
        const plain = await opened(page, "a.eventlog", LOG);
        await opened(page, "packed", bytes);
        await until(
            () => seen(page),
            (now) => isDeepStrictEqual(now, plain),
        );
        assert.match(await facts(page), /unpacked/);
    });
}

onPage("the browser alone unpacks a gzip file", {}, async (page) => {
    await opened(page, "a.eventlog.gz", gzipSync(LOG));
});

onPage("the user chooses one of several logs in an archive", { unpacks: true }, async (page) => {
    await choose(page, file("two.zip", zip({ "one.eventlog": LOG, "two.eventlog": OTHER, "x.txt": LOG.subarray(9) })));
    await state(page, "choosing");
    const entries = await page.locator("#choose-list li").allTextContents();
    assert.deepEqual(
        entries.map((text) => text.match(/\w+\.eventlog/)?.[0]),
        ["one.eventlog", "two.eventlog"],
    );
    assert.match(entries[1], /33\.5.KiB\s*$/);
    await page.click("#choose-list button >> nth=1");
    await state(page, "ready");
    assert.match(await facts(page), /1\s644 events/);
});

onPage("Cancel leads back, and another file can be opened instead", { unpacks: true }, async (page) => {
    const archive = file("two.zip", zip({ "one.eventlog": LOG, "two.eventlog": OTHER }));
    await choose(page, archive);
    await state(page, "choosing");
    await page.click("#choose-none");
    await state(page, "empty");
    await choose(page, archive);
    await state(page, "choosing");
    await opened(page, "a.eventlog", OTHER);
    assert.match(await facts(page), /1\s644 events/);
});

onPage("an archive without logs says so", { unpacks: true }, async (page) => {
    await choose(page, file("none.zip", zip({ "x.txt": Buffer.from("hello") })));
    await state(page, "error");
    assert.match(await page.textContent("#error"), /none of the zip archive's entries is an eventlog/i);
});

for (const [form, bytes] of Object.entries({ gzip: gzipSync(OTHER), zstd: ZST })) {
    onPage(`a ${form} file that is cut off shows what there is, and where it ends`, { unpacks: true }, async (page) => {
        await choose(page, file("cut", bytes.subarray(0, bytes.length - 2000)));
        await page.waitForSelector('html:is([data-state="ready"], [data-state="error"])', { state: "attached" });
        const told = (await notices(page)) + (await page.textContent("#error"));
        assert.match(
            told,
            new RegExp(`compressed file is cut off at byte ${grouped(bytes.length - 2000)}; the log is missing from byte [\\d\\u202f]+ on`),
        );
    });
}

onPage("damage within a gzip file is reported", { unpacks: true }, async (page) => {
    const bytes = gzipSync(OTHER);
    bytes.fill(0x55, 6000, 6100);
    await choose(page, file("damaged.gz", bytes));
    await state(page, "ready");
    assert.match(await notices(page), /the compressed file is damaged at byte [\d\u202f]+ \(.*\); the log is missing from byte/i);
});

/** A window in which all rows have their full height, with a notice above them and without. */
const HIGH = { viewport: { width: 1280, height: 1400 } };

onPage("after gzip data, zeros are padding, anything else is reported, and the log opens", { unpacks: true, ...HIGH }, async (page) => {
    const plain = await opened(page, "a.eventlog", LOG);
    await opened(page, "padded.gz", Buffer.concat([gzipSync(LOG), Buffer.alloc(5000)]));
    await until(
        () => seen(page),
        (now) => isDeepStrictEqual(now, plain),
    );
    await choose(page, file("junk.gz", Buffer.concat([gzipSync(LOG), Buffer.from("junk")])));
    await page.waitForFunction(() => document.getElementById("notices").textContent.includes("something else after the log, at byte"));
    const same = ({ events, picture }) => events === plain.events && picture === plain.picture;
    await until(
        async () => same(await seen(page)),
        (is) => is,
    );
});

const [PATIENT, SMALL] = [40_000, new Uint8Array(60)];

function manyFiles(count, logs) {
    const files = Array.from({ length: count }, (_, at) => [`build/object-${at}.o`, SMALL]);
    return zipSync(Object.fromEntries([...files.slice(0, count / 2), ...logs, ...files.slice(count / 2)]), { level: 0 });
}

/** Opens a file while a log is open, and asks for spans all the time; returns how long the slowest answer took, in ms. */
async function answersMeanwhile(page, act) {
    await page.evaluate(() => {
        window.slowest_ = 0;
        const details = document.getElementById("details");
        let asked = performance.now();
        const ask = () => {
            asked = performance.now();
            document.body.dispatchEvent(new KeyboardEvent("keydown", { code: "Period", bubbles: true, cancelable: true }));
        };
        window.asking_ = new MutationObserver(() => {
            window.slowest_ = Math.max(window.slowest_, performance.now() - asked);
            setTimeout(ask, 10);
        });
        window.asking_.observe(details, { childList: true });
        // The driver takes a while to hand the file to the page: that does not count.
        document.addEventListener(
            "input",
            () => {
                window.slowest_ = 0;
                asked = performance.now();
            },
            true,
        );
        ask();
    });
    await act();
    return page.evaluate(() => {
        window.asking_.disconnect();
        return window.slowest_;
    });
}

for (const [what, name] of Object.entries({ "named so": "run/prog.eventlog", "of another name": "run/prog.bin" })) {
    onPage(
        `a log ${what} among 40 000 small files opens at once, and questions are answered meanwhile`,
        { unpacks: true },
        async (page) => {
            await choose(page, file("a.zip", zip({ "a.eventlog": LOG })));
            await state(page, "ready");
            const archive = file("many.zip", manyFiles(PATIENT, [[name, new Uint8Array(OTHER)]]));
            let took = 0;
            const slowest = await answersMeanwhile(page, async () => {
                await choose(page, archive);
                const start = Date.now();
                await page.waitForFunction(() => document.getElementById("program").textContent === "threaded");
                await state(page, "ready");
                took = Date.now() - start;
            });
            // The benchmark measures the real time: on a busy machine, this only finds what is many times too slow.
            assert.ok(took < 5000 && slowest < 2000, `${took} ms, an answer after ${slowest} ms`);
            console.log(`    ${took} ms; the slowest answer meanwhile ${Math.round(slowest)} ms`);
        },
    );
}

onPage(
    "of thousands of logs, a few hundred are listed, and the others are found by a part of their names",
    { unpacks: true },
    async (page) => {
        const logs = Array.from({ length: 3000 }, (_, at) => [`run-${at}.eventlog`, SMALL]);
        const odd = "<img src=x onerror=alert(1)>\u0007\u202egol.eventlog";
        await choose(
            page,
            file("runs.zip", manyFiles(10, [...logs, [odd, new Uint8Array(LOG)], ["needle.eventlog", new Uint8Array(OTHER)]])),
        );
        await state(page, "choosing");
        assert.equal(await page.textContent("#choose-title"), "runs.zip has 3\u202f002 eventlogs");
        const listed = () => page.locator("#choose-list li").allTextContents();
        assert.equal((await listed()).length, 200);
        assert.match(await page.textContent("#choose-text"), /^The first 200 of 3\u202f002\./);
        await page.keyboard.type("NEEDLE");
        await until(listed, (names) => names.length === 1);
        await page.fill("#choose-filter", "no such");
        await until(listed, (names) => names.length === 0);
        assert.equal(await page.textContent("#choose-text"), "No name contains “no such”.");
        await page.fill("#choose-filter", "img");
        const [shown] = await until(listed, (names) => names.length === 1);
        assert.ok(shown.trim().startsWith("<img src=x onerror=alert(1)>␇\\u202egol.eventlog"), shown);
        await page.click("#choose-list button");
        await page.waitForFunction(() => document.getElementById("program").textContent === "single");
        await state(page, "ready");
    },
);
