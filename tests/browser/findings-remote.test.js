// Findings of logs on servers: rules that wait, and links.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { corpus, state } from "./support/page.js";
import { LONG, at, beside, own, opening } from "./support/remote.js";
import { evidence, shown, until } from "./support/see.js";
import { near } from "./support/view.js";

test("rules that need the threads wait until the user lets them be followed", async () => {
    own.put("long.eventlog", { log: LONG });
    await opening(beside("long.eventlog"), async (page) => {
        await state(page, "ready");
        const waiting = page.locator("log-findings .waiting");
        assert.match(await waiting.innerText(), /^\d+ rules wait for threads to be followed\./);
        await page.click("#follow-threads");
        await waiting.waitFor({ state: "detached" });
        await page.waitForSelector("html:not([data-following])", { state: "attached" });
        // Now it is known why capabilities were idle.
        assert.equal(await page.locator('log-findings [data-part="idle_ns.reason not known"]').count(), 0);
    });
});

test("a link's finding is chosen also where the wasm that makes findings comes after the log", async () => {
    own.put("returned.eventlog", { log: readFileSync(corpus("returned")) });
    let release = () => {};
    const released = new Promise((resolve) => {
        release = () => resolve(undefined);
    });
    const late = (page) =>
        page.route("**/*_rest.wasm", async (route) => {
            await released;
            await route.continue();
        });
    const act = async (page) => {
        await state(page, "ready");
        assert.equal(await page.locator("log-findings [data-finding]").count(), 0, "findings are there already");
        release();
        await page.waitForSelector('log-findings [data-finding="gc-share"][data-chosen]');
    };
    await at(`#url=${encodeURIComponent(beside("returned.eventlog"))}&finding=gc-share`, act, late);
});

test("a link opens a log with its finding chosen; with a time, that is in view; the address keeps both", async () => {
    const log = readFileSync(corpus("returned"));
    own.put("returned.eventlog", { log });
    const url = `url=${encodeURIComponent(beside("returned.eventlog"))}`;
    await at(`#${url}&finding=gc-share`, async (page) => {
        await state(page, "ready");
        await page.waitForSelector('log-findings [data-finding="gc-share"][data-chosen]');
        await until(
            () => evidence(page),
            (box) => box !== null,
        );
        await page.focus("#timeline");
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => !location.hash.includes("finding="));
    });
    await at(`#${url}&t0=50000000&t1=100000000&finding=gc-share`, async (page) => {
        await state(page, "ready");
        await page.waitForSelector('log-findings [data-finding="gc-share"][data-chosen]');
        // The log is 234 ms long.
        await until(
            () => shown(page),
            ({ from, to }) => near(from, 50 / 234, 0.02) && near(to, 100 / 234, 0.02),
        );
        assert.ok((await evidence(page)) !== null);
        await page.waitForTimeout(300);
        const { hash } = new URL(page.url());
        for (const key of ["finding=gc-share", "t0=50", "t1=100"]) assert.ok(hash.includes(key), hash);
    });
    await at(`#${url}&finding=no-such-rule`, async (page) => {
        await state(page, "ready");
        await page.waitForFunction(() => !location.hash.includes("finding="));
        assert.equal(await evidence(page), null);
    });
});
