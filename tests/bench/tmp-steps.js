import { readFileSync } from "node:fs";
const { traceEvents: events } = JSON.parse(readFileSync("/tmp/trace.json", "utf8"));
const fire = events.filter((e) => e.name === "FireAnimationFrame");
const key = (e) => `${e.pid}.${e.tid}`;
const counts = new Map();
for (const e of fire) counts.set(key(e), (counts.get(key(e)) ?? 0) + 1);
const main = [...counts].sort((a, b) => b[1] - a[1])[0][0];
const ours = events.filter((e) => (e.ph === "X" || e.name==="BeginMainThreadFrame") && key(e) === main).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
const tasks = ours.filter((e) => e.name === "ThreadControllerImpl::RunTask");
const from = tasks[Number(process.argv[2] ?? 1500)].ts;
for (const t of tasks.filter((t) => t.ts >= from && t.ts < from + 120000)) {
    if (t.dur < 40) continue;
    const inside = ours.filter((e) => e !== t && e.ts >= t.ts && e.ts < t.ts + t.dur && e.name !== "RunTask");
    console.log(((t.ts - from) / 1000).toFixed(2).padStart(8), (t.dur / 1000).toFixed(2).padStart(6), inside.filter(e=>e.dur>20||!e.dur).map((e) => `${e.name}${e.args?.data?.type ? ":" + e.args.data.type : ""}${e.args?.data?.functionName ? ":" + e.args.data.functionName : ""} ${((e.dur??0) / 1000).toFixed(2)}`).join("  "));
}
