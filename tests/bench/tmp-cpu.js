import { serve } from "../browser/support/server.js";
import { Session } from "./session.js";
const { DIST, LOGS, PROGRAM } = process.env;
const server = await serve(DIST, "/", { within: true });
const session = await Session.start({ browser: "chrome", program: PROGRAM, server });
await session.open(`${LOGS}/threads.eventlog`);
await session.page.waitForFunction(() => !window.bench.log.following);
await session.page.evaluate(() => document.querySelector('[data-group="threads"]').click());
await session.scrollToMiddle();
const client = await session.page.createCDPSession();
session.page.tracing.start = async () => { await client.send("Profiler.enable"); await client.send("Profiler.setSamplingInterval", { interval: 100 }); await client.send("Profiler.start"); };
let profile;
session.page.tracing.stop = async () => { profile = (await client.send("Profiler.stop")).profile; return new TextEncoder().encode('{"traceEvents":[]}'); };
await session.frames("scroll");
const { nodes, samples, timeDeltas } = profile;
const byId = new Map(nodes.map((n) => [n.id, { ...n, self: 0, total: 0 }]));
samples.forEach((id, i) => (byId.get(id).self += timeDeltas[i] / 1000));
const parent = new Map(); for (const n of nodes) for (const c of n.children ?? []) parent.set(c, n.id);
const self = new Map(), total = new Map();
const name = (n) => `${n.callFrame.functionName || "(anon)"} ${n.callFrame.url.split("/").at(-1)}:${n.callFrame.lineNumber + 1}`;
for (const n of byId.values()) {
    self.set(name(n), (self.get(name(n)) ?? 0) + n.self);
    const seen = new Set();
    for (let id = n.id; id !== undefined; id = parent.get(id)) { const m = name(byId.get(id)); if (!seen.has(m)) { seen.add(m); total.set(m, (total.get(m) ?? 0) + n.self); } }
}
for (const [n, t] of [...total].sort((a, b) => b[1] - a[1]).slice(0, 60)) console.log(n.padEnd(60), "total/step", (t / 240).toFixed(3), "self", (self.get(n) / 240).toFixed(3));
await session.end(); server.close();
