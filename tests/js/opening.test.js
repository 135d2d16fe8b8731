import { test } from "node:test";
import assert from "node:assert/strict";
import { POINTER, SELECTION } from "../../web/js/protocol.js";

// The worker's own channel would keep the test from ending, and answers need none.
globalThis.MessageChannel = class {
    port1 = {};
    port2 = {};
};
const { Opening } = await import("../../web/js/worker/opening.js");

/** A log that wants ten pieces for each answer, and a file that gives each when it is told to. */
function opened() {
    /** How many each job still wants. */
    const left = [];
    const log = {
        supply: () => {},
        look_up: () => left.push(10) - 1,
        job: (job) => ({ reads: left[job] > 0 ? [[100 * job + left[job], 1]] : [], done: 10 - left[job], of: 10 }),
        take: (job) => (left[job] -= 1),
        found: () => ({ kind: "empty" }),
        drop_job: () => {},
        status: () => ({ offset: 0 }),
    };
    const reads = [];
    const range = (offset) => new Promise((resolve) => reads.push({ offset, give: () => resolve(new Uint8Array(1)) }));
    const told = [];
    const opening = new Opening(1, { name: "", size: 1, source: { range } }, log, (reply) => told.push(reply));
    const ask = (id, asker) => void opening.answer(id, asker, (log) => log.look_up());
    /** Gives all that is wanted, until nothing more is. */
    const give = async () => {
        let given = 0;
        while (reads.length > 0) {
            reads.shift().give();
            given += 1;
            await new Promise((resolve) => setTimeout(resolve));
        }
        return given;
    };
    return { ask, give, reads, told };
}

test("a question is answered when all is read that it takes", async () => {
    const { ask, give, told } = opened();
    ask(1, POINTER);
    assert.equal(await give(), 10);
    assert.deepEqual(told, [{ kind: "answer", id: 1, place: { kind: "empty" } }]);
});

test("a newer question ends an older one, which is answered with nothing", async () => {
    const { ask, give, reads, told } = opened();
    ask(1, POINTER);
    ask(2, POINTER);
    assert.equal(reads.length, 2);
    assert.equal(await give(), 11, "what was on its way, and what the newer one takes");
    assert.deepEqual(
        told.map(({ id, place }) => [id, place?.kind]),
        [
            [1, undefined],
            [2, "empty"],
        ],
    );
});

test("what the pointer asks does not end what is being selected", async () => {
    const { ask, give, told } = opened();
    ask(1, SELECTION);
    ask(2, POINTER);
    assert.equal(await give(), 20);
    assert.deepEqual(
        told.map(({ place }) => place?.kind),
        ["empty", "empty"],
    );
});

/** A log that has been read, of one table, and whose ranges need nothing to be read. */
async function read() {
    const asked = [];
    const log = {
        finish: () => {},
        free: () => {},
        status: () => ({ offset: 0, events: 1 }),
        tracks: () => [],
        process: () => ({ args: ["./main"], runtime: "" }),
        facts: (range) => ({ sections: [{ key: range ? "range" : "log" }] }),
        notices: () => [],
        range: () => 7,
        job: () => ({ reads: [], done: 0, of: 0 }),
        drop_job: () => {},
        range_totals: (job) => [{ track: job }],
        table: (...wish) => {
            asked.push(wish);
            return { table: wish[0] };
        },
    };
    const told = [];
    async function* pieces() {}
    const opening = new Opening(1, { name: "", size: 1, source: { pieces, broken: "" } }, log, (reply) => told.push(reply));
    await opening.read();
    return { opening, asked, told };
}

test("the facts come with the log, and those of a range with its totals", async () => {
    const { opening, told } = await read();
    assert.equal(told[0].kind, "ready");
    assert.equal(told[0].log.facts.sections[0].key, "log");
    assert.deepEqual(told[0].log.process.args, ["./main"]);
    await opening.range({ seq: 1, from: 2, to: 3 });
    assert.deepEqual(told[1].totals, { from: 2, to: 3, tracks: [{ track: 7 }], facts: { sections: [{ key: "range" }] } });
});

test("a page of a table is that of the whole log, unless the range's is asked for", async () => {
    const { opening, asked } = await read();
    const wish = { table: "threads", sort: "runs", down: true, filter: "a", from: 5, count: 10 };
    assert.deepEqual(opening.table(wish), { table: "threads" });
    opening.table({ ...wish, range: true });
    assert.deepEqual(asked, [
        ["threads", false, "runs", true, "a", 5, 10],
        ["threads", true, "runs", true, "a", 5, 10],
    ]);
    opening.close();
    assert.equal(opening.table(wish), null, "there is no log any more");
});
