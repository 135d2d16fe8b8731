// Names of info tables from another log of the same program.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { zipSync } from "fflate";
import { chooseTab, corpus, file, onPage, openCorpus } from "./support/page.js";

const CASE = "written-heap-info-table";
const BUTTON = "log-names-from button";

/** The log of another run, which names the info table that the first one does not: as it names another one there. */
function other() {
    const bytes = readFileSync(corpus(CASE));
    const [known, missing] = [0x432000n, 0x7f0010n].map((address) => {
        const number = Buffer.alloc(8);
        number.writeBigUInt64BE(address);
        return number;
    });
    const at = bytes.lastIndexOf(known);
    assert.ok(at > 0);
    missing.copy(bytes, at);
    return bytes;
}

const open = async (page) => {
    await openCorpus(page, CASE);
    await chooseTab(page, "profile");
    await page.waitForSelector(BUTTON);
};

/** Chooses a log behind the button, and waits until the page says what came of it. */
async function choose(page, bytes, said) {
    await page.setInputFiles("log-names-from input", file("other.eventlog", bytes));
    await page.waitForSelector(`log-names-from [role=status]:text-is("${said}")`);
}

onPage("another log has the names that this one lacks", {}, async (page) => {
    await open(page);
    assert.match(await page.textContent(".tab-panel"), /0x7f0010/);
    await choose(page, other(), "1 of 1 missing names of info tables were found.");
    const missing = page.locator(".tab-panel section[aria-label='Heap profile']").filter({ hasText: /Without names\s*0/ });
    await missing.waitFor();
});

onPage("a log without those names is refused, and the reason is said", {}, async (page) => {
    await open(page);
    await choose(page, readFileSync(corpus(CASE)), "The other log has none of the missing names.");
    await choose(page, readFileSync(corpus("threaded")), "The other log defines no info tables.");
});

onPage("of an archive, the first log is taken, wherever it stands in it", { unpacks: true }, async (page) => {
    await open(page);
    const entries = { "notes.txt": Buffer.from("none"), "a.eventlog": other(), "b.eventlog": readFileSync(corpus("threaded")) };
    const archive = zipSync(Object.fromEntries(Object.entries(entries).map(([name, bytes]) => [name, new Uint8Array(bytes)])));
    await page.setInputFiles("log-names-from input", file("other.zip", archive));
    await page.waitForSelector(`log-names-from [role=status]:text-is("1 of 1 missing names of info tables were found.")`);
});

onPage("what was said about one log is not said about the next one", {}, async (page) => {
    await open(page);
    await choose(page, readFileSync(corpus("threaded")), "The other log defines no info tables.");
    await openCorpus(page, CASE);
    await page.waitForSelector("log-names-from [role=status]:text-is('')", { state: "attached" });
});
