import { writeFileSync } from "node:fs";
import { serve } from "../browser/support/server.js";
import { Session } from "./session.js";
const { DIST, LOGS, PROGRAM } = process.env;
const server = await serve(DIST, "/", { within: true });
const session = await Session.start({ browser: "chrome", program: PROGRAM, server });
await session.open(`${LOGS}/threads.eventlog`);
await session.page.waitForFunction(() => !window.bench.log.following);
await session.page.evaluate(() => document.querySelector('[data-group="threads"]').click());
await session.scrollToMiddle();
const start = session.page.tracing.start.bind(session.page.tracing);
const stop = session.page.tracing.stop.bind(session.page.tracing);
let last;
session.page.tracing.stop = async () => { last = await stop(); return last; };
if (process.env.MORE) session.page.tracing.start = (o) => start({ ...o, categories: [...o.categories, ...process.env.MORE.split(",")] });
const pct = (v, p) => v.toSorted((a, b) => a - b)[Math.ceil(p * v.length) - 1];
for (let turn = 0; turn < Number(process.env.TURNS ?? 3); turn++) {
    const frames = await session.frames(process.env.HOW ?? "scroll");
    console.log("frames", frames.length, "p50", pct(frames, .5).toFixed(2), "p95", pct(frames, .95).toFixed(2), "p99", pct(frames, .99).toFixed(2));
}
const { traceEvents: events } = JSON.parse(new TextDecoder().decode(last));
writeFileSync("/tmp/trace.json", new TextDecoder().decode(last));
const fire = events.filter((e) => e.name === "FireAnimationFrame");
const key = (e) => `${e.pid}.${e.tid}`;
const counts = new Map();
for (const e of fire) counts.set(key(e), (counts.get(key(e)) ?? 0) + 1);
const main = [...counts].sort((a, b) => b[1] - a[1])[0][0];
const ours = events.filter((e) => e.ph === "X" && key(e) === main).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
const self = new Map(), total = new Map(), n = new Map();
const stack = [];
for (const e of ours) {
    while (stack.length && stack.at(-1).ts + stack.at(-1).dur <= e.ts) stack.pop();
    self.set(e.name, (self.get(e.name) ?? 0) + e.dur);
    if (stack.length) self.set(stack.at(-1).name, self.get(stack.at(-1).name) - e.dur);
    n.set(e.name, (n.get(e.name) ?? 0) + 1);
    total.set(e.name, (total.get(e.name) ?? 0) + e.dur);
    stack.push(e);
}
const steps = 240;
for (const [name, us] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 25)) console.log(name.padEnd(45), "self/step", (us / 1000 / steps).toFixed(3), "n/step", (n.get(name) / steps).toFixed(2), "total/step", (total.get(name)/1000/steps).toFixed(3));
await session.end();
server.close();
