// What weighs most in a log that has more than is kept: names of info tables that come after many others.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { SAVES, choose, chooseTab, file, onPage, state } from "./support/page.js";
import { until } from "./support/see.js";

const { GHC_EVENTLOG } = process.env;

/** Just above what is kept while a log is read: `limits::MAX_INFO_TABLES`. */
const ALL = 32_868;
const USED = 100;

/** A log that defines `ALL` info tables, the last `USED` of which hold something. */
const log = () => infoTables(ALL, USED);

/**
 * @param {number} all
 * @param {number} used
 */
function infoTables(all, used) {
    const parts = [header()];
    const event = (tag, time, body) => {
        const head = Buffer.alloc(10);
        head.writeUInt16BE(tag, 0);
        head.writeBigUInt64BE(BigInt(time), 2);
        parts.push(head, body);
    };
    const sized = (tag, time, body) => {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(body.length);
        event(tag, time, Buffer.concat([length, body]));
    };
    const number = (value) => {
        const bytes = Buffer.alloc(8);
        bytes.writeBigUInt64BE(BigInt(value));
        return bytes;
    };
    const address = (at) => 0x400000 + 8 * at;
    // The heap profile, by info table (8), every 100 ms.
    sized(160, 1, Buffer.concat([Buffer.of(0), number(100_000_000), Buffer.of(0, 0, 0, 8), Buffer.alloc(7)]));
    for (let at = 0; at < all; at++) {
        const texts = [`t${at}`, "21", "T", `f${at}`, `M${at}`, `src/M${at}.hs:1:2-3`];
        sized(169, 1, Buffer.concat([number(address(at)), Buffer.from(`${texts.join("\0")}\0`)]));
    }
    for (let census = 0; census < 3; census++) {
        const time = (census + 1) * 100_000_000;
        event(162, time, number(census));
        for (let at = all - used; at < all; at++) {
            const label = Buffer.from(`0x${address(at).toString(16)}\0`);
            sized(164, time, Buffer.concat([Buffer.of(0), number(1000 * (at - all + used + 1)), label]));
        }
        event(165, time, number(census));
    }
    return Buffer.concat([...parts, Buffer.of(0xff, 0xff)]);
}

function header() {
    const types = [
        [160, 0xffff, "Start of heap profile"],
        [162, 8, "Start of heap profile sample"],
        [164, 0xffff, "Heap profile string sample"],
        [165, 8, "End of heap profile sample"],
        [169, 0xffff, "Info Table Source Position"],
    ];
    const parts = [Buffer.from("hdrbhetb")];
    for (const [tag, size, text] of types) {
        const head = Buffer.alloc(12);
        head.write("etb\0", "latin1");
        head.writeUInt16BE(tag, 4);
        head.writeUInt16BE(size, 6);
        head.writeUInt32BE(text.length, 8);
        parts.push(head, Buffer.from(text), Buffer.from("\0\0\0\0ete\0", "latin1"));
    }
    return Buffer.concat([...parts, Buffer.from("hetehdredatb")]);
}

onPage("info tables that come after very many others have names, as soon as the log is ready", {}, async (page) => {
    const bytes = log();
    await choose(page, file("late.eventlog", bytes));
    await state(page, "ready");
    const names = await page.$$eval(".bands li .text", (texts) => texts.map(({ textContent }) => textContent));
    assert.deepEqual(names.slice(0, 2), [`f${ALL - 1}`, `f${ALL - 2}`]);
    await chooseTab(page, "profile");
    const table = () => page.textContent(".tab-panel");
    await until(table, (text) => text?.includes(`src/M${ALL - 1}.hs:1:2-3`) ?? false);
    assert.doesNotMatch((await table()) ?? "", /0x4[0-9a-f]{5} *0x4|Without names/);
    const notices = await page.textContent("body");
    assert.doesNotMatch(notices ?? "", /names of info tables, cost centres and ticky counters are left out/);
});

/** What the command line writes of the log. */
const written = (...args) => execFileSync(GHC_EVENTLOG, [...args, "-"], { input: log(), encoding: "utf8", maxBuffer: 1 << 26 });

onPage("a profile that is saved has them, too", { ...SAVES, reads: SAVES.reads.slice(1) }, async (page) => {
    await choose(page, file("late.eventlog", log()));
    await state(page, "ready");
    await chooseTab(page, "profile");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-export=csv]")]);
    const saved = readFileSync(await download.path(), "utf8");
    assert.equal(saved, written("export", "--format", "csv"));
    assert.match(saved, new RegExp(`f${ALL - 1} 0x`));
});

onPage("the command line says the same", {}, async () => {
    const { bands } = JSON.parse(written("summary", "--json")).heap_profile;
    assert.equal(bands.length, USED);
    assert.deepEqual([bands[0].name, bands[0].last_bytes], [`f${ALL - 1}`, 1000 * USED]);
});
