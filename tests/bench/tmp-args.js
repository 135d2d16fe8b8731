import { readFileSync } from "node:fs";
const { traceEvents: events } = JSON.parse(readFileSync("/tmp/trace.json", "utf8"));
const show = (name, f) => { const of = events.filter((e) => e.name === name && e.ph === "X"); console.log(name, of.length); for (const e of of.slice(100, 112)) console.log((e.dur / 1000).toFixed(2), f(e)); };
show("Layout", (e) => JSON.stringify(e.args).slice(0, 400));
show("UpdateLayoutTree", (e) => JSON.stringify(e.args).slice(0, 200));
show("HitTest", (e) => JSON.stringify(e.args).slice(0, 300));
show("Paint", (e) => JSON.stringify(e.args).slice(0, 300));
