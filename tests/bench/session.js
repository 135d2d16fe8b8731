// One browser, Chromium or Firefox, with one page of the viewer, and the benchmark's actions in it.

import puppeteer from "puppeteer-core";
import { reachIn } from "../browser/support/reach.js";
import { READING } from "../browser/support/reading.js";
import { frameTimes } from "./frame-times.js";
import { askMeanwhile, bareRead, eventPage, hooks } from "./hooks.js";
import { makeMany } from "../browser/support/many.js";
import { within } from "../browser/support/within.js";
import { forgetPeak, held, pageProcesses, peak } from "./memory.js";

/** How long anything may take, in ms: all hits in a log of 1 GB of spans, on two shared cores. */
const PATIENCE = 240_000;

/** The page's size in CSS pixels: 40 tracks fit. */
const SIZE = { width: 1920, height: 2000 };

/** Steps of panning or zooming that are measured. */
const MOVES = 240;

const ARGUMENTS = {
    chrome: ["--no-sandbox", "--disable-background-networking", "--disable-quic"],
    firefox: [],
};

/** @typedef {{ browser: "chrome" | "firefox", program: string, server: { url: string, requests: string[] } }} Where */

/** How long a user takes from the first move of the pointer to dropping a file, in ms: with two windows side by side, and no delay. */
const ARRIVAL = 1000;

/** A user comes who will open a log. */
async function arrive(page) {
    await page.mouse.move(SIZE.width / 2, 300);
    await new Promise((resolve) => setTimeout(resolve, ARRIVAL));
}

export class Session {
    /**
     * @param {Where} where
     */
    static async start({ browser, program: executablePath, server }) {
        const launched = await puppeteer.launch({ browser, executablePath, args: ARGUMENTS[browser], protocolTimeout: PATIENCE });
        const page = await launched.newPage();
        page.setDefaultTimeout(PATIENCE);
        await page.setViewport(SIZE);
        await page.evaluateOnNewDocument(hooks);
        await page.evaluateOnNewDocument(reachIn);
        await page.goto(server.url, { waitUntil: "networkidle0" });
        await arrive(page);
        const session = new Session(browser, launched, page, server);
        await session.#state("empty");
        return session;
    }

    constructor(kind, browser, page, server) {
        this.kind = kind;
        this.browser = browser;
        this.page = page;
        this.server = server;
        this.loaded = server.requests.length;
        this.processes = pageProcesses(browser.process().pid);
        this.base = this.processes.map(held);
    }

    async #state(name) {
        await this.page.waitForSelector(`html[data-state="${name}"]`);
    }

    /** The most memory since the last opening, in MiB above that of the empty page. */
    get peak() {
        return this.processes.reduce((sum, process, at) => sum + Math.max(0, peak(process) - this.base[at]), 0);
    }

    /** The requests of the page since it was loaded, except for its own parts that few logs need. */
    get requests() {
        return this.server.requests.slice(this.loaded).filter((url) => !/\/wasm\//.test(url)).length;
    }

    /**
     * Opens a file and waits until it is ready; returns the times of events, in ms after the file was chosen.
     * @param {string} path
     */
    async open(path) {
        await this.close();
        await this.page.evaluate(() => window.bench.begin());
        this.processes.forEach(forgetPeak);
        const input = await this.page.$("pierce/#open-file");
        await input.uploadFile(path);
        await this.#state("ready");
        await this.settle();
        return this.page.evaluate(() => {
            const { opened, painted, ready, longest, replies } = window.bench;
            const wholes = replies.filter(({ kind }) => kind === "whole");
            const last = wholes.at(-1);
            const length = last.to - last.from;
            const covers = ({ from, to, filled }) =>
                Math.abs(from - last.from) + Math.abs(to - last.to) < length * 0.02 && filled >= last.filled * 0.9;
            return {
                first: painted - opened,
                whole: (wholes.find(covers)?.at ?? NaN) - opened,
                ready: ready - opened,
                // Firefox does not report long tasks.
                longest: PerformanceObserver.supportedEntryTypes.includes("longtask") ? longest : null,
            };
        });
    }

    /** Goes back to the empty page, if a log is open. */
    async close() {
        await this.page.evaluate(() => document.documentElement.dataset.state !== "empty" && document.getElementById("close").click());
        await this.#state("empty");
    }

    /** Waits until the picture is exact as far as it can be, and painted. */
    async settle() {
        await this.page.waitForFunction(() => {
            const { replies, requests } = window.bench;
            return replies.filter(({ kind }) => kind === "window").at(-1)?.seq === requests;
        });
        await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    }

    /**
     * How long the browser takes only to read a file, in ms.
     * @param {string} path
     */
    async bareRead(path) {
        await this.page.evaluate(() => {
            if (document.getElementById("bench-file")) return;
            const input = Object.assign(document.createElement("input"), { type: "file", id: "bench-file", hidden: true });
            document.body.append(input);
        });
        const input = await this.page.$("#bench-file");
        await input.uploadFile(path);
        return this.page.evaluate(bareRead, READING);
    }

    /**
     * Goes from the whole log to a place in one step, and zooms in there; returns how long it takes until the picture is exact and painted,
     * in ms.
     * @param {number} place between 0 and 1
     * @param {number} nsPerPixel
     */
    async jump(place, nsPerPixel) {
        const { page } = this;
        await page.keyboard.press("0");
        await this.settle();
        const { x, y, length, width } = await page.evaluate(() => {
            const whole = window.bench.replies.filter(({ kind }) => kind === "whole").at(-1);
            const box = document.getElementById("canvas").getBoundingClientRect();
            const left = document.getElementById("headers").offsetWidth;
            const { y } = box;
            // The whole log has a margin of 2 % on either side.
            return { x: box.x + left, y: y + 100, length: (whole.to - whole.from) * 1.04, width: box.width - left };
        });
        await page.mouse.move(x + width * place, y);
        await page.evaluate(() => {
            window.bench.jump = new Promise((done) => {
                document.addEventListener(
                    "wheel",
                    () => {
                        const start = performance.now();
                        const asked = window.bench.requests;
                        const look = () => {
                            const last = window.bench.replies.at(-1);
                            const there = last.kind === "window" && last.seq === window.bench.requests && last.seq > asked;
                            if (there && last.exact) done(performance.now() - start);
                            else requestAnimationFrame(look);
                        };
                        requestAnimationFrame(look);
                    },
                    { capture: true, once: true },
                );
            });
        });
        await page.keyboard.down("Control");
        await page.mouse.wheel({ deltaY: Math.round(Math.log((nsPerPixel * width) / length) / 0.0044) });
        await page.keyboard.up("Control");
        return page.evaluate(() => window.bench.jump);
    }

    /**
     * Selects a fifth of the view at a place, by dragging; returns how long it takes until the summary shows that range, in ms.
     * @param {number} place between 0 and 1
     */
    async range(place) {
        const { page } = this;
        // What was found in the log may be in front.
        await page.evaluate(() => document.getElementById("tab-summary").click());
        await page.evaluate(() => document.getElementById("timeline").focus());
        await page.keyboard.press("0");
        await page.keyboard.press("Escape");
        await this.settle();
        const box = await page.evaluate(() => {
            const { x, y, width } = document.getElementById("canvas").getBoundingClientRect();
            const left = document.getElementById("headers").offsetWidth;
            return { x: x + left, y: y + 100, width: width - left };
        });
        const from = box.x + box.width * place * 0.75;
        await page.mouse.move(from, box.y);
        await page.mouse.down();
        await page.mouse.move(from + box.width * 0.1, box.y);
        await page.evaluate(() => {
            window.bench.summary = new Promise((done) => {
                let start = NaN;
                const summary = document.getElementById("summary");
                const observer = new MutationObserver(() => {
                    if (Number.isNaN(start) || !/selected/.test(summary.textContent)) return;
                    observer.disconnect();
                    done(performance.now() - start);
                });
                observer.observe(summary, { childList: true, subtree: true, characterData: true });
                document.addEventListener("pointermove", () => (start = performance.now()), { capture: true, once: true });
            });
        });
        await page.mouse.move(from + box.width * 0.2, box.y);
        await page.mouse.up();
        return page.evaluate(() => Promise.race([window.bench.summary, new Promise((done) => setTimeout(done, 3000, NaN))]));
    }

    /**
     * Scrolls the list of all events to some places; returns how long it takes each time until all rows in view have come, in ms.
     * @param {number[]} places between 0 and 1
     */
    async eventPages(places) {
        const { page } = this;
        await page.keyboard.press("Escape");
        await page.evaluate(() => document.getElementById("tab-events").click());
        await page.waitForFunction(() => document.querySelector(".listing tbody tr") !== null);
        const times = [];
        for (const place of places) times.push(await page.evaluate(eventPage, place));
        await page.evaluate(() => document.getElementById("tab-summary").click());
        return times;
    }

    /**
     * Searches for a query; returns how long it takes until the first hit is shown, and until all are, in ms, and how many there are. `first`
     * is NaN if there is none.
     * @param {string} query
     */
    async search(query) {
        const { page } = this;
        await page.evaluate(() => document.getElementById("timeline").focus());
        await page.keyboard.press("/");
        await page.keyboard.type(query);
        await page.evaluate(() => {
            window.bench.found = new Promise((done) => {
                let [start, first] = [NaN, NaN];
                const status = document.getElementById("search-status");
                const observer = new MutationObserver(() => {
                    const { textContent: text } = status;
                    const since = performance.now() - start;
                    if (Number.isNaN(since)) return;
                    if (Number.isNaN(first) && /[1-9]/.test(text)) first = since;
                    if (text.includes("…")) return;
                    observer.disconnect();
                    done({ first, all: since, hits: Number(/(\d[\d\s,.]*)hit/.exec(text)?.[1].replaceAll(/\D/g, "") ?? 0) });
                });
                observer.observe(status, { childList: true, subtree: true, characterData: true });
                const pressed = ({ key }) => key === "Enter" && (start = performance.now());
                document.addEventListener("keydown", pressed, { capture: true, once: true });
            });
        });
        await page.keyboard.press("Enter");
        const times = await page.evaluate(() => window.bench.found);
        // It leaves the field, the hit, and the search.
        for (let times = 0; times < 3; times++) await page.keyboard.press("Escape");
        return times;
    }

    /** Whether the log's threads are followed without a request, or it has none. */
    isFollowed() {
        return this.page.evaluate(() => {
            const { log } = window.bench;
            const threads = log.groups.find(({ key }) => key === "threads");
            return log.following !== undefined || threads.shown !== undefined || threads.tracks === 0;
        });
    }

    /**
     * Unfolds the threads of a log that have not been followed, and waits until they have been. Returns, in ms, how long it takes until the
     * first report, and until all are followed, and the longest wait for an answer meanwhile.
     */
    async followThreads() {
        const { page } = this;
        await page.evaluate(() => {
            document.querySelector('[data-group="threads"]').click();
            Object.assign(window.bench, { unfolded: performance.now(), told: 0 });
        });
        await page.evaluate(askMeanwhile);
        return page.evaluate(() => {
            const { unfolded, told, waits } = window.bench;
            return { first: told - unfolded, all: performance.now() - unfolded, wait: Math.max(...waits) };
        });
    }

    /** Opens each tab once, and waits until it is complete. */
    async openEveryPanel() {
        const { page } = this;
        const tabs = await page.evaluate(() => [...document.querySelectorAll(".tabs [role=tab]")].map(({ id }) => id));
        if (tabs.length < 2) throw new Error("no tabs are found");
        for (const tab of tabs) {
            await page.evaluate((id) => document.getElementById(id).click(), tab);
            await page.waitForFunction((id) => document.getElementById(id).ariaSelected === "true", {}, tab);
            await page.waitForFunction(() => document.querySelector("#panel:not([aria-busy])") !== null);
            await this.settle();
        }
    }

    /** The wasm memory and the JS heaps, in MB; only in Chromium. */
    async heaps() {
        if (this.kind !== "chrome") return { wasm: NaN, heap: NaN };
        const [{ client }] = this.page.workers();
        const bytes = await within((method, params) => client.send(method, params), "within_.memory");
        const page = await this.page.createCDPSession();
        const used = await Promise.all([client, page].map((at) => at.send("Runtime.getHeapUsage")));
        return { wasm: bytes / 1e6, heap: used.reduce((all, { usedSize }) => all + usedSize, 0) / 1e6 };
    }

    /**
     * The main thread's work for each frame while the view moves all the time, in ms.
     * @param {"pan" | "zoom" | "scroll" | "hover"} how
     */
    async frames(how) {
        const { page } = this;
        const { x, y } = await page.evaluate(() => {
            const { x, y, width, height } = document.getElementById("canvas").getBoundingClientRect();
            return { x: x + width / 2, y: y + height / 2 };
        });
        await page.keyboard.press("0");
        for (let press = 0; press < 6; press++) await page.keyboard.press("w");
        await this.settle();
        await page.mouse.move(x, y);
        const key = { pan: "Shift", zoom: "Control" }[how];
        if (key) await page.keyboard.down(key);
        const deltaY = { pan: 40, zoom: 25, scroll: 90, hover: 0 }[how];
        await page.tracing.start({ categories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"] });
        for (let step = 0; step < MOVES; step++) {
            const there = Math.floor(step / 30) % 2 === 0 ? 1 : -1;
            if (deltaY) await page.mouse.wheel({ deltaY: there * deltaY });
            else await page.mouse.move(x + step, y + there * (step % 30) * 20);
            await page.evaluate(() => new Promise(requestAnimationFrame));
        }
        const trace = JSON.parse(new TextDecoder().decode(await page.tracing.stop()));
        if (key) await page.keyboard.up(key);
        return frameTimes(trace.traceEvents);
    }

    /** From now on, logs have `count` capabilities, each drawn as one of the real ones. Only in Chromium. */
    async makeMany(count) {
        const [{ client }] = this.page.workers();
        await makeMany((method, params) => client.send(method, params), count);
    }

    /** Goes to the track in the middle of all, by the scroll bar. */
    async scrollToMiddle() {
        await this.page.evaluate(() => {
            const box = document.getElementById("timeline");
            box.scrollTop = box.scrollHeight / 2;
        });
        await this.settle();
    }

    /** The message of each report of progress: its KB as text, and the ms that cloning it takes. */
    async message() {
        return this.page.evaluate(() => {
            const { log } = window.bench;
            const times = Array.from({ length: 20 }, () => {
                const start = performance.now();
                structuredClone(log);
                return performance.now() - start;
            });
            return { size: JSON.stringify(log).length / 1000, clone: times.sort((a, b) => a - b)[10] };
        });
    }

    async end() {
        await this.browser.close();
    }
}
