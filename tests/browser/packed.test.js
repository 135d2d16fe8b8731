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

/** The same log as the real `zstd -19` packs it. */
const ZST = readFileSync(new URL("../../crates/ghc-eventlog-cli/tests/single.eventlog.zst", import.meta.url));

const zip = (entries) => zipSync(Object.fromEntries(Object.entries(entries).map(([name, bytes]) => [name, new Uint8Array(bytes)])));

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");

const facts = (page) => page.evaluate(() => document.getElementById("facts").textContent);
const notices = (page) => page.evaluate(() => document.getElementById("notices").textContent);
const picture = async (page) => (await lane(page, "HEC 0")).roles.join();

/** What is seen of a log, but for its file's name and size. */
async function seen(page) {
    const events = (await facts(page)).match(/[\d\s]+ events/)?.[0];
    return { events, picture: await picture(page), summary: await page.textContent("#summary"), notices: await notices(page) };
}

async function opened(page, name, bytes) {
    await choose(page, file(name, bytes));
    await state(page, "ready");
    // What is drawn first may be coarser.
    let last = "";
    await until(() => seen(page), (now) => {
        const settled = now.picture.includes("running") && JSON.stringify(now) === last;
        last = JSON.stringify(now);
        return settled;
    });
    return seen(page);
}

const FORMS = {
    "gzip": gzipSync(LOG),
    "gzip of two members": Buffer.concat([gzipSync(LOG.subarray(0, 5000)), gzipSync(LOG.subarray(5000))]),
    "zstd": ZST,
    "zip": zip({ "folder/a.eventlog": LOG, "readme.txt": Buffer.from("hello") }),
    "zip with a gzip in it": zip({ "a.eventlog.gz": gzipSync(LOG) }),
    "zip with a zstd in it": zip({ "a.eventlog.zst": ZST }),
    "zip whose log has another name": zip({ "profile.bin": LOG, "readme.txt": Buffer.from("hello") }),
};

for (const [form, bytes] of Object.entries(FORMS)) {
    onPage(`a log packed as ${form} shows what the log itself shows`, { unpacks: true }, async (page) => {
        const plain = await opened(page, "a.eventlog", LOG);
        await opened(page, "packed", bytes);
        await until(() => seen(page), (now) => isDeepStrictEqual(now, plain));
        assert.match(await facts(page), /unpacked/);
    });
}

onPage("a gzip file is unpacked by the browser alone", {}, async (page) => {
    await opened(page, "a.eventlog.gz", gzipSync(LOG));
});

onPage("of several logs in an archive one is chosen", { unpacks: true }, async (page) => {
    await choose(page, file("two.zip", zip({ "one.eventlog": LOG, "two.eventlog": OTHER, "x.txt": LOG.subarray(9) })));
    await state(page, "choosing");
    const entries = await page.locator("#choose-list li").allTextContents();
    assert.deepEqual(entries.map((text) => text.match(/^\w+\.eventlog/)?.[0]), ["one.eventlog", "two.eventlog"]);
    assert.match(entries[1], /33\.5.KiB$/);
    await page.click("#choose-list button >> nth=1");
    await state(page, "ready");
    assert.match(await facts(page), /1\s644 events/);
});

onPage("choosing none leads back, and another file can be opened instead of choosing", { unpacks: true }, async (page) => {
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
        assert.match(told, new RegExp(`compressed file is cut off at byte ${grouped(bytes.length - 2000)}; the log is missing from byte [\\d\\u202f]+ on`));
    });
}

onPage("damage within a gzip file is told", { unpacks: true }, async (page) => {
    const bytes = gzipSync(OTHER);
    bytes.fill(0x55, 6000, 6100);
    await choose(page, file("damaged.gz", bytes));
    await state(page, "ready");
    assert.match(await notices(page), /the compressed file is damaged at byte [\d\u202f]+ \(.*\); the log is missing from byte/i);
});
