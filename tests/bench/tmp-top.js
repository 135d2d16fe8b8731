import { readFileSync } from "node:fs";
const { traceEvents: events } = JSON.parse(readFileSync("/tmp/trace.json", "utf8"));
const key = (e) => `${e.pid}.${e.tid}`;
const counts = new Map();
for (const e of events) if (e.name === "FireAnimationFrame" && e.ph === "X") counts.set(key(e), (counts.get(key(e)) ?? 0) + 1);
const main = [...counts].sort((a, b) => b[1] - a[1])[0][0];
const ours = events.filter((e) => e.ph === "X" && key(e) === main).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
const tasks = ours.filter((e) => e.name === "ThreadControllerImpl::RunTask");
const inside = (t) => ours.filter((e) => e !== t && e.ts >= t.ts && e.ts < t.ts + t.dur && e.name !== "RunTask");
const frames = [];
for (const t of tasks) { const i = inside(t); if (i.some((e) => e.name === "FireAnimationFrame")) frames.push({ tasks: [], sum: 0 }); if (!frames.length) continue; const w = i.filter((e) => e.name === "Commit").reduce((s, e) => s + e.dur, 0); frames.at(-1).tasks.push({ t, i, w }); frames.at(-1).sum += (t.dur - w) / 1000; }
frames.sort((a, b) => b.sum - a.sum);
for (const f of frames.slice(3, 20)) { console.log("frame", f.sum.toFixed(2), "tdur", f.tasks.reduce((s, x) => s + (x.t.tdur ?? 0), 0)); for (const { t, i, w } of f.tasks) if (t.dur - w > 200) console.log("   ", ((t.ts - f.tasks[0].t.ts) / 1000).toFixed(1).padStart(6), ((t.dur - w) / 1000).toFixed(2), i.filter((e) => e.dur > 100).map((e) => `${e.name}${e.args?.data?.type ? ":" + e.args.data.type : ""} ${(e.dur / 1000).toFixed(2)}`).join(" ").replaceAll("FireAnimationFrame", "rAF").replaceAll("FunctionCall", "F")); }
