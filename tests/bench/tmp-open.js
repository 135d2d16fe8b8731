import { serve } from "../browser/support/server.js";
import { Session } from "./session.js";
const { LOGS, PROGRAM, ROUNDS = 4 } = process.env;
const [log, ...dists] = process.argv.slice(2);
const got = dists.map(() => ({ first: [], ready: [], whole: [], jump: [] }));
for (let r = 0; r < ROUNDS; r++) for (const [at, dist] of dists.entries()) {
    const server = await serve(dist, "/", { within: true });
    const s = await Session.start({ browser: "chrome", program: PROGRAM, server });
    const o = await s.open(`${LOGS}/${log}.eventlog`);
    for (const k of ["first", "ready", "whole"]) got[at][k].push(Math.round(o[k]));
    for (let j = 0; j < 10; j++) got[at].jump.push(Math.round(await s.jump(((j * .618) % 1) * .98 + .01, 1000)));
    await s.end(); server.close();
}
for (const [at, d] of dists.entries()) console.log(d, "first", got[at].first.join(" "), "ready", got[at].ready.join(" "), "whole", got[at].whole.join(" "), "jump median", got[at].jump.sort((a, b) => a - b)[Math.floor(got[at].jump.length / 2)], "p95", got[at].jump[Math.floor(got[at].jump.length * .95)]);
