// A page that came by https, and logs on the reader's own computer: browsers let it read those by http, if they are asked to.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { certificateOf } from "./support/certificate.js";
import { Logs } from "./support/logs.js";
import { corpus, state } from "./support/page.js";
import { PATIENCE } from "./support/patience.js";
import { reachIn } from "./support/reach.js";
import { serve } from "./support/server.js";
import { readFileSync } from "node:fs";

const { CHROME, DIST } = process.env;
const HOST = "viewer.example";
const LOG = readFileSync(corpus("threaded"));

const logs = new Logs();
const page = await serve(DIST, "/", { secure: certificateOf(HOST) });
const own = await serve(DIST, "/", { logs });
const port = new URL(page.origin).port;
const browser = await chromium.launch({
    executablePath: CHROME,
    args: [
        "--no-sandbox",
        "--disable-background-networking",
        `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
        // For the browser, the page is from the public network, though its server is here.
        `--ip-address-space-overrides=127.0.0.1:${port}=public`,
    ],
});
after(async () => {
    await browser.close();
    page.close();
    own.close();
});

/** The log's address on the reader's computer. */
const local = (name) => `http://localhost:${new URL(own.origin).port}/logs/${name}`;

/**
 * Opens a log by its address, and agrees to ask its server.
 * @param {string} address
 * @param {"granted" | "prompt" | "denied"} permission to read from this computer
 * @param {(page: import("playwright-core").Page) => Promise<void>} body
 */
async function opening(address, permission, body) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    try {
        await context.addInitScript(reachIn);
        const tab = await context.newPage();
        tab.setDefaultTimeout(PATIENCE);
        const session = await context.newCDPSession(tab);
        const { browserContextId } = (await session.send("Target.getTargetInfo")).targetInfo;
        for (const name of ["local-network-access", "loopback-network", "local-network"]) {
            // Not every version of the browser has each of them.
            const set = { permission: { name }, setting: permission, origin: `https://${HOST}:${port}`, browserContextId };
            await session.send("Browser.setPermission", set).catch((error) => assert.match(error.message, /unknown permission/i));
        }
        await tab.goto(`https://${HOST}:${port}/#url=${encodeURIComponent(address)}`);
        await state(tab, "asking");
        assert.ok(await tab.evaluate(() => isSecureContext && location.protocol === "https:"));
        await tab.click("#question-yes");
        await body(tab);
    } finally {
        await context.close();
    }
}

const said = async (tab) => {
    await state(tab, "error");
    return tab.textContent("#error");
};

test("a page that came by https reads a log from http://localhost", async () => {
    logs.put("a.eventlog", { log: LOG });
    await opening(local("a.eventlog"), "granted", async (tab) => {
        await state(tab, "ready");
        assert.match(await tab.textContent("#facts"), /a\.eventlog/);
    });
});

test("where nobody is there, both possible reasons are said, and no other one", async () => {
    // A port that was free a moment ago.
    const gone = await serve(DIST, "/");
    gone.close();
    await opening(`http://localhost:${new URL(gone.origin).port}/logs/a.eventlog`, "granted", async (tab) => {
        const text = await said(tab);
        assert.match(
            text,
            /\(1\) no server answers at localhost:\d+; \(2\) the server does not send the header Access-Control-Allow-Origin/,
        );
        assert.doesNotMatch(text, /\(3\)|https|allow access/);
    });
});

test("a server that does not let other sites' pages read is said to be one of two reasons", async () => {
    logs.put("kept.eventlog", { log: LOG, allow: null });
    await opening(local("kept.eventlog"), "granted", async (tab) => {
        assert.match(await said(tab), /Access-Control-Allow-Origin/);
        assert.ok(logs.of("kept.eventlog").length > 0, "it was asked");
    });
});

test("where the browser does not let the page, the page says so, and how to change that", async () => {
    logs.put("a.eventlog", { log: LOG });
    const before = logs.of("a.eventlog").length;
    await opening(local("a.eventlog"), "denied", async (tab) => {
        assert.match(await said(tab), /this browser does not let this page read from localhost:\d+\. To allow it, click on the sign/i);
        assert.equal(logs.of("a.eventlog").length, before, "the server was not asked");
    });
});
