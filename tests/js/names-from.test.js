// Names from another log of the same program: what is read of it in part is forgotten.

import { test } from "node:test";
import assert from "node:assert/strict";

// A real channel would keep the test from ending.
globalThis.MessageChannel = class {
    port1 = {};
    port2 = { postMessage: () => setTimeout(() => this.port1.onmessage()) };
};
const { ASKERS } = await import("../../web/js/protocol.js");
const { answer } = await import("../../web/js/worker/answers.js");
const { Askers } = await import("../../web/js/worker/askers.js");

/** A log that notes what it is fed of other logs; its names are what it was fed since the last one was forgotten. */
function opened() {
    const fed = [];
    const troubles = [];
    let named = 0;
    const log = {
        forget_names: () => fed.splice(0),
        feed_names: (bytes) => fed.push(new TextDecoder().decode(bytes)),
        take_names: () => `names of ${fed.splice(0).join("")}`,
    };
    const askers = new Askers();
    const opening = {
        log,
        askers,
        isClosed: false,
        begin: (asker) => {
            const isOvertaken = askers.begin(asker);
            return () => opening.isClosed || isOvertaken();
        },
        renewed: () => named++,
        parts: { failed: (error) => troubles.push(error.message) },
    };
    return { opening, fed, troubles, named: () => named, take: (file) => answer(opening, "namesFrom", { file }) };
}

/** A file that cannot be read. */
const broken = (error) => {
    const none = async () => Promise.reject(error);
    const part = { size: 4, arrayBuffer: none, slice: () => part };
    return part;
};

test("a log's names are taken when it has been read to its end", async () => {
    const { take, named } = opened();
    assert.equal(await take(new Blob(["one"])), "names of one");
    assert.equal(named(), 1);
});

test("a second log replaces one that is being read: of that, nothing stays", async () => {
    const { take, fed, named } = opened();
    const first = take(new Blob(["one"]));
    const second = take(new Blob(["two"]));
    assert.deepEqual([await first, await second], [null, "names of two"]);
    assert.deepEqual([named(), fed], [1, []]);
    assert.equal(ASKERS.namesFrom({}), "namesFrom");
});

test("when the log is closed meanwhile, it is given nothing more", async () => {
    const { opening, take, fed, named } = opened();
    const said = take(new Blob(["one"]));
    opening.isClosed = true;
    assert.deepEqual([await said, fed, named()], [null, [], 0]);
});

test("a file that cannot be read has its reason; what was read of it is forgotten", async () => {
    const { opening, take, fed, troubles } = opened();
    opening.log.feed_names(new TextEncoder().encode("left"));
    assert.equal(
        await take(broken(new DOMException("it is gone", "NotReadableError"))),
        "The other log cannot be read: the file was changed or removed.",
    );
    assert.deepEqual([fed, troubles], [[], []]);
    // A mistake of the viewer's is no fault of the file.
    opening.log.feed_names = () => {
        throw new Error("unreachable");
    };
    assert.equal(await take(new Blob(["one"])), null);
    assert.deepEqual(troubles, ["unreachable"]);
});
