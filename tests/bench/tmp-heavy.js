import { readFileSync } from "node:fs";
const { traceEvents: events } = JSON.parse(readFileSync(process.argv[2] ?? "/tmp/trace.json", "utf8"));
const fire = events.filter((e) => e.name === "FireAnimationFrame" && e.ph === "X");
const key = (e) => `${e.pid}.${e.tid}`;
const counts = new Map();
for (const e of fire) counts.set(key(e), (counts.get(key(e)) ?? 0) + 1);
const main = [...counts].sort((a, b) => b[1] - a[1])[0][0];
const ours = events.filter((e) => e.ph === "X" && key(e) === main).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
const frames = [];
let stack = [], frame = null;
let task = null;
const starts = new Set();
{ let t = null; for (const e of ours) { if (e.name === "ThreadControllerImpl::RunTask") t = e; if (e.name === "FireAnimationFrame" && t) starts.add(t); } }
for (const e of ours) {
    if (e.name === "ThreadControllerImpl::RunTask" && starts.has(e)) { frame = { ts: e.ts, parts: {} }; frames.push(frame); }
    if (!frame) continue;
    while (stack.length && stack.at(-1).ts + stack.at(-1).dur <= e.ts) stack.pop();
    const name = e.name === "FunctionCall" ? `F:${e.args?.data?.functionName ?? ""}` : e.name;
    e.n = name;
    frame.parts[name] = (frame.parts[name] ?? 0) + e.dur;
    if (stack.length) frame.parts[stack.at(-1).n] -= e.dur;
    stack.push(e);
}
for (const f of frames) f.sum = Object.entries(f.parts).reduce((s, [n, v]) => n === "Commit" || n==="RunTask" ? s : s + v, 0) / 1000;
frames.sort((a, b) => a.sum - b.sum);
const mean = (fs) => { const all = {}; for (const f of fs) for (const [n, v] of Object.entries(f.parts)) all[n] = (all[n] ?? 0) + v / 1000 / fs.length; return all; };
const mid = mean(frames.slice(frames.length * .4, frames.length * .6)), top = mean(frames.slice(frames.length * .9));
console.log("median", frames[Math.floor(frames.length / 2)].sum.toFixed(2), "p95", frames[Math.floor(frames.length * .95)].sum.toFixed(2));
for (const n of Object.keys(top).sort((a, b) => top[b] - top[a]).slice(0, 16)) console.log(n.padEnd(46), "mid", (mid[n] ?? 0).toFixed(2), "top", top[n].toFixed(2), "diff", (top[n] - (mid[n] ?? 0)).toFixed(2));
