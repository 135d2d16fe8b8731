// what the worker did during the longest waits of a question while threads are followed
import { serve } from "../browser/support/server.js";
import { Session } from "./session.js";
import { within } from "../browser/support/within.js";
const { LOGS, PROGRAM, DIST, TURNS = 3, VERBOSE } = process.env;
const [log] = process.argv.slice(2);
const server = await serve(DIST, "/", { within: true });
for (let turn = 0; turn < TURNS; turn++) {
    const session = await Session.start({ browser: "chrome", program: PROGRAM, server });
    const [{ client }] = session.page.workers();
    const send = (m, p) => client.send(m, p);
    await within(send, () => {
        globalThis.__calls = [];
        within_.changeLogs((logs) => {
            for (const name of Object.getOwnPropertyNames(logs)) {
                const d = Object.getOwnPropertyDescriptor(logs, name);
                if (typeof d.value !== "function" || name === "constructor") continue;
                const act = d.value;
                logs[name] = function (...a) { const t = performance.now(); try { return act.apply(this, a); } finally { const e = performance.now(); if (e - t > 0.3) __calls.push([name, performance.timeOrigin + t, e - t]); } };
            }
        });
        const o = OffscreenCanvas.prototype.transferToImageBitmap;
        OffscreenCanvas.prototype.transferToImageBitmap = function () { const t = performance.now(); const r = o.apply(this); const e = performance.now(); __calls.push(["bitmap", performance.timeOrigin + t, e - t]); return r; };
        const p = self.postMessage.bind(self);
        self.postMessage = (m, ...r) => { const t = performance.now(); p(m, ...r); const e = performance.now(); if (e - t > .2 || m.kind==="table") __calls.push(["post:" + m.kind, performance.timeOrigin + t, e - t]); };
        self.addEventListener("message", ({ data }) => __calls.push(["got:" + data.kind, performance.timeOrigin + performance.now(), 0]));
    });
    await session.open(`${LOGS}/${log}.eventlog`);
    await session.page.evaluate(() => {
        const { bench } = window; bench.asks = [];
        const post = bench.worker.postMessage.bind(bench.worker);
        bench.worker.postMessage = (m, ...r) => { if (m.kind === "table" && m.id === 0) bench.asks.push(performance.timeOrigin + performance.now()); post(m, ...r); };
    });
    const got = await session.followThreads();
    const { waits, asks } = await session.page.evaluate(() => ({ waits: window.bench.waits, asks: window.bench.asks }));
    const calls = await within(send, () => __calls);
    const sorted = waits.toSorted((a, b) => b - a);
    console.log("turn", turn, "all", got.all.toFixed(0), "first", got.first.toFixed(0), "waits", waits.length, "top", sorted.slice(0, 6).map((w) => w.toFixed(0)).join(" "), "median", sorted[Math.floor(sorted.length / 2)].toFixed(1));
    if (VERBOSE) for (const w of sorted.slice(0, 3)) {
        const at = waits.indexOf(w), from = asks[at];
        console.log("  wait", w.toFixed(1), calls.filter(([, t, d]) => t + d > from - 5 && t < from + w + 2).map(([n, t, d]) => `${(t - from).toFixed(1)}:${n} ${d.toFixed(1)}`).join("  "));
    }
    await session.end();
}
server.close();
