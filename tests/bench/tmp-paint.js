import { serve } from "../browser/support/server.js";
import { Session } from "./session.js";
const { DIST, LOGS, PROGRAM } = process.env;
const server = await serve(DIST, "/", { within: true });
const session = await Session.start({ browser: "chrome", program: PROGRAM, server });
await session.open(`${LOGS}/threads.eventlog`);
await session.page.waitForFunction(() => !window.bench.log.following);
await session.page.evaluate(() => document.querySelector('[data-group="threads"]').click());
await session.scrollToMiddle();
for (let turn = 0; turn < 2; turn++) {
await session.page.evaluate(() => (window.__t = []));
session.page.tracing.start = async () => {}; session.page.tracing.stop = async () => new TextEncoder().encode('{"traceEvents":[]}');
await session.frames("scroll");
const t = (await session.page.evaluate(() => window.__t)).map((x) => ({ ...x, all: x.a + x.request + x.draw + x.headers })).sort((x, y) => x.all - y.all);
const mean = (l) => Object.fromEntries(["a", "request", "draw", "headers", "all"].map((k) => [k, (l.reduce((s, x) => s + x[k], 0) / l.length).toFixed(2)]));
console.log(t.length, "paints; mid", mean(t.slice(t.length * .4, t.length * .6)), "top", mean(t.slice(t.length * .9)), "scrolls in top", t.slice(t.length*.9).filter(x=>x.scrolls).length, "of", t.slice(t.length*.9).length);
}
await session.end(); server.close();
