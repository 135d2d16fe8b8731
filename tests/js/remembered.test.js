// What the page remembers from one visit to the next.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { Store } from "../../web/js/store.js";
import { followClock } from "../../web/js/clock.js";
import { followOtherTabs, followRemembered, remember, remembered } from "../../web/js/remembered.js";
import { followScaling } from "../../web/js/scaling.js";

/** A storage with some entries. */
function stored(entries = {}) {
    const all = new Map(Object.entries(entries));
    globalThis.localStorage = { getItem: (key) => all.get(key) ?? null, setItem: (key, text) => all.set(key, text) };
    return all;
}

const page = (own = true) => ({ stage: { own }, store: new Store({ clock: "relative", scaling: "log", other: 1 }) });

test("a remembered choice is taken, and a new one is remembered", () => {
    const all = stored({ "ghc-eventlog-viewer.clock": "utc", "ghc-eventlog-viewer.scaling": "nonsense" });
    const context = page();
    followClock(context);
    followScaling(context);
    assert.deepEqual([context.store.value.clock, context.store.value.scaling], ["utc", "log"]);
    context.store.set({ other: 2 });
    assert.equal(all.get("ghc-eventlog-viewer.scaling"), "nonsense", "nothing was chosen");
    context.store.set({ clock: "local", scaling: "unit" });
    assert.deepEqual([...all.values()], ["local", "unit"]);
});

test("a viewer beside other content remembers nothing", () => {
    const all = stored({ "ghc-eventlog-viewer.clock": "utc" });
    const context = page(false);
    followRemembered(context, "clock", String);
    context.store.set({ clock: "local" });
    assert.deepEqual([context.store.value.clock, ...all.values()], ["local", "utc"]);
});

test("without storage nothing is remembered, and nothing fails", () => {
    globalThis.localStorage = {
        getItem: () => assert.fail("forbidden"),
        setItem: () => assert.fail("full"),
    };
    remember("clock", "utc");
    assert.equal(remembered("clock"), null);
});

test("a choice in another tab is heard, and nothing else", () => {
    let heard = 0;
    let listener = () => {};
    globalThis.addEventListener = (type, listens) => type === "storage" && (listener = listens);
    followOtherTabs("theme", () => heard++, new AbortController().signal);
    for (const key of ["ghc-eventlog-viewer.theme", "ghc-eventlog-viewer.clock", "theme", null]) listener({ key });
    assert.equal(heard, 2, "its own key, and when all is removed");
});

test("no other file uses the storage", () => {
    const folder = new URL("../../web/js/", import.meta.url);
    const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"));
    assert.ok(files.length > 100);
    const using = files.filter((name) => readFileSync(new URL(name, folder), "utf8").includes("localStorage"));
    assert.deepEqual(using, ["remembered.js"]);
});
