// Logs that are loaded by their address: what they are called, and what is said of those that do not come.

import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { loadFile, nameOf, urlOf } from "../../web/js/remote.js";

globalThis.location = { origin: "https://ci.example" };

const at = (path) => new URL(path, "https://ci.example/");
const never = new AbortController().signal;

/** Loads an address while the server answers so. */
function load(url, answer) {
    globalThis.fetch = answer;
    return loadFile(url, never);
}

describe("a log by its address", () => {
    test("is called what its address ends with", () => {
        assert.equal(nameOf(at("/runs/7/prog%20a.eventlog?token=1")), "prog a.eventlog");
        assert.equal(nameOf(at("/100%25.eventlog")), "100%.eventlog");
        // No such text is encoded so; it is shown as it is.
        assert.equal(nameOf(at("/%ff.eventlog")), "%ff.eventlog");
        assert.equal(nameOf(at("/")), "ci.example");
    });

    test("is a file of that name, with its bytes", async () => {
        const file = await load(at("/a.eventlog"), async () => new Response(new Uint8Array([1, 2, 3])));
        assert.equal(file.name, "a.eventlog");
        assert.deepEqual([...new Uint8Array(await file.arrayBuffer())], [1, 2, 3]);
    });

    test("is looked for beside the page, if it is an address at all", async () => {
        assert.equal(urlOf("a.eventlog", "https://ci.example/runs/").href, "https://ci.example/runs/a.eventlog");
        assert.equal(urlOf("http://[", "https://ci.example/"), null);
        await assert.rejects(loadFile(null, never), /no address/);
    });

    test("is asked of the page's own server only", async () => {
        let asked = 0;
        const answer = async () => (asked++, new Response());
        await assert.rejects(load(new URL("https://other.example/a.eventlog"), answer), /on another server, other\.example/);
        assert.equal(asked, 0);
    });

    const answers = {
        "the server says 404 (Not Found)": async () => new Response("", { status: 404, statusText: "Not Found" }),
        "the server says 503": async () => new Response("", { status: 503 }),
        "the server cannot be reached": async () => Promise.reject(new TypeError("Failed to fetch")),
        "it was not loaded to its end": async () => {
            const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError("reset")) });
            return new Response(body);
        },
    };
    for (const [said, answer] of Object.entries(answers)) {
        test(`where it does not come: ${said}`, () => assert.rejects(load(at("/a.eventlog"), answer), { message: said }));
    }
});
