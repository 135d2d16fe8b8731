// node tmp-compare.js HOW dist1 dist2 ... ; rounds = ROUNDS
import { serve } from "../browser/support/server.js";
import { Session } from "./session.js";
import { frameTimes } from "./frame-times.js";
const { LOGS, PROGRAM, ROUNDS = 3, LOG = "threads" } = process.env;
const [how, ...dists] = process.argv.slice(2);
const pct = (v, p) => v.toSorted((a, b) => a - b)[Math.ceil(p * v.length) - 1];
const results = dists.map(() => ({ frames: [], names: {} , rounds: [] }));
function sum(trace, names) {
    const events = trace.traceEvents;
    const key = (e) => `${e.pid}.${e.tid}`;
    const counts = new Map();
    for (const e of events) if (e.name === "FireAnimationFrame" && e.ph === "X") counts.set(key(e), (counts.get(key(e)) ?? 0) + 1);
    const main = [...counts].sort((a, b) => b[1] - a[1])[0][0];
    const ours = events.filter((e) => e.ph === "X" && key(e) === main).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
    const stack = [];
    for (const e of ours) {
        while (stack.length && stack.at(-1).ts + stack.at(-1).dur <= e.ts) stack.pop();
        names[e.name] = (names[e.name] ?? 0) + e.dur / 1000;
        if (stack.length) names[stack.at(-1).name] -= e.dur / 1000;
        stack.push(e);
    }
}
for (let round = 0; round < ROUNDS; round++) for (const [at, dist] of dists.entries()) {
    const server = await serve(dist, "/", { within: true });
    const session = await Session.start({ browser: "chrome", program: PROGRAM, server });
    await session.open(`${LOGS}/${LOG}.eventlog`);
    await session.page.waitForFunction(() => !window.bench.log.following);
    await session.page.evaluate(() => document.querySelector('[data-group="threads"]').click());
    await session.scrollToMiddle();
    const stop = session.page.tracing.stop.bind(session.page.tracing);
    let last; session.page.tracing.stop = async () => (last = await stop());
    const frames = await session.frames(how);
    results[at].frames.push(...frames);
    results[at].rounds.push(pct(frames, .95).toFixed(1));
    sum(JSON.parse(new TextDecoder().decode(last)), results[at].names);
    await session.end(); server.close();
}
const per = 240 * ROUNDS;
for (const [at, dist] of dists.entries()) {
    const { frames, names, rounds } = results[at];
    console.log(dist.padEnd(24), "p50", pct(frames, .5).toFixed(2), "p95", pct(frames, .95).toFixed(2), "p99", pct(frames, .99).toFixed(2), "mean", (frames.reduce((a, b) => a + b) / frames.length).toFixed(2), "rounds", rounds.join(" "));
    console.log("   ", ["FunctionCall", "ThreadControllerImpl::RunTask", "Layout", "Layerize", "PrePaint", "HitTest", "UpdateLayoutTree", "Paint", "Commit"].map((n) => `${n} ${((names[n] ?? 0) / per).toFixed(3)}`).join("  "));
}
