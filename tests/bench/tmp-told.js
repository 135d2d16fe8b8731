import { serve } from "../browser/support/server.js";
import { Session } from "./session.js";
const { DIST, LOGS, PROGRAM } = process.env;
const server = await serve(DIST, "/", { within: true });
const session = await Session.start({ browser: "chrome", program: PROGRAM, server });
await session.open(`${LOGS}/1GB.eventlog`);
await session.page.tracing.start({ categories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel", "disabled-by-default-v8.cpu_profiler"] });
await session.followThreads();
const trace = JSON.parse(new TextDecoder().decode(await session.page.tracing.stop()));
const events = trace.traceEvents;
const key = (e) => `${e.pid}.${e.tid}`;
const counts = new Map();
for (const e of events) if (e.name === "FireAnimationFrame" && e.ph === "X") counts.set(key(e), (counts.get(key(e)) ?? 0) + 1);
const main = [...counts].sort((a, b) => b[1] - a[1])[0][0];
const ours = events.filter((e) => e.ph === "X" && key(e) === main).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
const tasks = ours.filter((e) => e.name === "ThreadControllerImpl::RunTask" && e.dur > 8000);
const inside = (t) => ours.filter((e) => e !== t && e.ts >= t.ts && e.ts < t.ts + t.dur && e.name !== "RunTask");
// samples
const profile = events.filter((e) => e.name === "ProfileChunk");
const nodes = new Map(), samples = [];
for (const id of new Set(profile.map((e) => e.id))) {
    let ts = events.find((e) => e.name === "Profile" && e.id === id)?.args.data.startTime;
    const pid = events.find((e) => e.name === "Profile" && e.id === id);
    if (!pid || key(pid) !== main) continue;
    for (const { args: { data } } of profile.filter((e) => e.id === id).sort((a,b)=>a.ts-b.ts)) {
        for (const n of data.cpuProfile?.nodes ?? []) nodes.set(n.id, n);
        (data.cpuProfile?.samples ?? []).forEach((s, i) => { ts += data.timeDeltas[i]; samples.push([ts, s, data.timeDeltas[i]]); });
    }
}
for (const t of tasks.sort((a, b) => b.dur - a.dur).slice(0, 14)) {
    console.log("task", ((t.ts - ours[0].ts) / 1000).toFixed(0), (t.dur / 1000).toFixed(1), inside(t).filter((e) => e.dur > 700).map((e) => `${e.name} ${(e.dur / 1000).toFixed(1)}`).join("  "));
    const total = new Map();
    for (const [ts, s, d] of samples) if (ts >= t.ts && ts < t.ts + t.dur) { const seen = new Set(); for (let n = nodes.get(s); n; n = nodes.get(n.parent)) { const name = `${n.callFrame.functionName}:${(n.callFrame.lineNumber ?? 0) + 1}`; if (!seen.has(name)) { seen.add(name); total.set(name, (total.get(name) ?? 0) + d / 1000); } } }
    console.log("      ", [...total].sort((a, b) => b[1] - a[1]).slice(0, 22).map(([n, v]) => `${n} ${v.toFixed(1)}`).join(" | "));
}
await session.end(); server.close();
