// Logs on servers: what their answers mean, and what is asked anew when. A real browser is asked in tests/browser/remote.test.js.

import { afterEach, beforeEach, describe, mock, test } from "node:test";
import assert from "node:assert/strict";
import { nameOf, urlOf } from "../../web/js/url.js";

globalThis.self = new EventTarget();
globalThis.location = new URL("https://ci.example/viewer/");
// The worker's own channel would keep the test from ending, and answers need none.
globalThis.MessageChannel = class {
    port1 = {};
    port2 = {};
};
const { isPart, isSame, isWebPage, mayBeCapped, refused, sizeIn, unanswered } = await import("../../web/js/worker/remote/answer.js");
const { Broken, connect } = await import("../../web/js/worker/remote/connection.js");
const { RemoteFile } = await import("../../web/js/worker/remote/file.js");
const { load } = await import("../../web/js/worker/remote.js");

const at = (path) => new URL(path, "https://ci.example/");
const bytes = (text) => new TextEncoder().encode(text);

describe("an address", () => {
    test("names what it ends with", () => {
        assert.equal(nameOf(at("/runs/7/prog%20a.eventlog?token=1")), "prog a.eventlog");
        assert.equal(nameOf(at("/100%25.eventlog")), "100%.eventlog");
        // No such text is encoded so; it is shown as it is.
        assert.equal(nameOf(at("/%ff.eventlog")), "%ff.eventlog");
        assert.equal(nameOf(at("/")), "ci.example");
    });

    test("is looked for beside the page, if it is one at all", () => {
        assert.equal(urlOf("a.eventlog", "https://ci.example/runs/").href, "https://ci.example/runs/a.eventlog");
        assert.equal(urlOf("http://[", "https://ci.example/"), null);
        assert.equal(urlOf("a.eventlog"), null);
    });
});

describe("an answer", () => {
    const answer = (status, headers) => new Response(null, { status, headers });
    const part = (range, more) => answer(206, { "content-range": `bytes ${range}`, ...more });

    test("tells how long the file is, unless it was compressed on the way", () => {
        assert.equal(sizeIn(part("0-99/100")), 100);
        assert.equal(sizeIn(part("0-49/100", { "content-length": "50" })), 100);
        assert.equal(sizeIn(answer(206, { "content-length": "70" })), 70);
        assert.equal(sizeIn(answer(200, {})), 0);
        assert.equal(sizeIn(answer(200, { "content-length": "70", "content-encoding": "gzip" })), 0);
        assert.equal(sizeIn(answer(200, { "content-length": "70", "content-encoding": "identity" })), 70);
    });

    test("may have less than all of the file where it does not show which bytes it has", () => {
        assert.ok(mayBeCapped(answer(206, { "content-length": "70" })));
        assert.ok(mayBeCapped(part("0-69/*")));
        assert.ok(!mayBeCapped(part("0-69/100")));
        assert.ok(!mayBeCapped(answer(200, { "content-length": "70" })));
    });

    test("is about the same file as long as nothing tells otherwise", () => {
        const first = part("0-99/100", { etag: '"1"', "last-modified": "a" });
        assert.ok(isSame(first, part("10-19/100", { etag: '"1"', "last-modified": "a" })));
        assert.ok(isSame(first, answer(206, {})), "pages from elsewhere are shown neither");
        assert.ok(!isSame(first, part("10-19/100", { etag: '"2"', "last-modified": "a" })));
        assert.ok(!isSame(first, part("10-19/100", { "last-modified": "b" })));
        assert.ok(!isSame(first, part("10-19/101", {})));
    });

    test("is the part that was asked for, or is not used", () => {
        assert.ok(isPart(part("10-19/100", { "content-length": "10" }), 10, 20));
        assert.ok(isPart(answer(206, {}), 10, 20));
        assert.ok(!isPart(part("0-99/100"), 10, 20));
        assert.ok(isPart(answer(206, { "content-length": "9" }), 10, 20), "servers may send less");
        assert.ok(!isPart(answer(206, { "content-length": "11" }), 10, 20));
        assert.ok(isPart(answer(206, { "content-length": "999" }), 10, Infinity), "all that follows");
        assert.ok(!isPart(answer(200, { "content-length": "10" }), 10, 20));
        assert.ok(!isPart(answer(206, { "content-encoding": "gzip" }), 10, 20));
    });

    test("may be a web page, whatever type it claims; a log that claims to be one is none", () => {
        const html = answer(200, { "content-type": "text/html; charset=utf-8" });
        assert.ok(isWebPage(answer(200, {}), bytes("\n <!DOCTYPE html><html>")));
        assert.ok(isWebPage(html, bytes("<!-- login -->")));
        assert.ok(!isWebPage(html, bytes("hdrb\nhetb")));
        assert.ok(!isWebPage(answer(200, { "content-type": "text/plain" }), bytes("<3")));
    });

    const refusals = { 404: /no such file \(404\)/, 403: /neither passwords nor cookies/, 416: /no such bytes/, 503: /try again later/, 418: /does not send it \(418\)/ };
    for (const [status, said] of Object.entries(refusals)) {
        test(`of ${status} is explained`, () => assert.match(refused(answer(Number(status), {})).message, said));
    }

    test("that does not come has reasons that can be told apart", () => {
        const said = (url, why) => unanswered(url, { isForbidden: false, mayHaveFollowed: false, hasFollowed: false, ...why }).message;
        assert.equal(said(at("/a"), {}), "the server cannot be reached");
        assert.match(said(at("/a"), { mayHaveFollowed: true }), /^the server cannot be reached, or sends to another one/);
        assert.match(said(at("/a"), { mayHaveFollowed: true, hasFollowed: true }), /^the server that ci\.example sends to cannot be reached/);
        assert.match(said(new URL("https://b.example/a"), {}), /^b\.example .*Access-Control-Allow-Origin/);
        assert.match(said(new URL("https://b.example/a"), { isForbidden: true }), /policy/);
        assert.match(said(new URL("http://b.example/a"), {}), /https/);
    });
});

/** A server that knows one file, which a test changes as it likes. */
function server(content) {
    const asked = [];
    const it = { asked, content, ranges: true, headers: {}, fails: 0 };
    globalThis.fetch = async (url, { headers, signal, ...how }) => {
        asked.push({ range: headers?.range ?? null, ...how });
        signal.throwIfAborted();
        if (it.fails-- > 0) throw new TypeError("Failed to fetch");
        const [, from, to] = (it.ranges && /^bytes=(\d+)-(\d*)$/.exec(headers?.range ?? "")) || [];
        const part = from === undefined ? it.content : it.content.slice(Number(from), to ? Number(to) + 1 : undefined);
        const response = new Response(part, { status: from === undefined ? 200 : 206, headers: { "content-length": part.length, ...it.headers } });
        return Object.defineProperty(response, "url", { value: it.url ?? String(url) });
    };
    return it;
}

async function opened(url = at("/a"), askReader = null) {
    const { file, connection } = await RemoteFile.open(url, askReader, new AbortController().signal);
    connection.close();
    return file;
}

describe("a connection", () => {
    beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
    afterEach(() => mock.timers.reset());
    const settled = async () => {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    };

    test("asks without cookies, and without telling from where", async () => {
        const { asked } = server(bytes("abc"));
        const { close } = await connect(at("/a"), "bytes=0-", { redirect: "manual" }, new AbortController().signal);
        close();
        assert.deepEqual(asked, [{ range: "bytes=0-", credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", redirect: "manual" }]);
    });

    /** Fails once its time is up, and not before. */
    async function breaksAfter(ms, coming) {
        let trouble = null;
        coming.catch((error) => (trouble = error));
        await settled();
        mock.timers.tick(ms - 1);
        await settled();
        assert.equal(trouble, null);
        mock.timers.tick(1);
        await settled();
        assert.ok(trouble instanceof Broken);
    }

    test("counts as broken when it is not answered in three minutes, of which it may have waited for others", async () => {
        globalThis.fetch = (_, { signal }) => new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
        await breaksAfter(180_000, connect(at("/a"), null, { redirect: "manual" }, new AbortController().signal));
    });

    test("counts as broken when nothing comes for half a minute", async () => {
        globalThis.fetch = async (_, { signal }) => {
            const pull = (controller) => new Promise(() => signal.addEventListener("abort", () => controller.error(signal.reason)));
            return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
        };
        const { pieces } = await connect(at("/a"), null, { redirect: "manual" }, new AbortController().signal);
        await breaksAfter(30_000, pieces().next());
    });

    test("for parts may give less at a time than was asked for", async () => {
        const all = bytes("0123456789");
        const asked = [];
        globalThis.fetch = async (url, { headers = {} }) => {
            const [, from] = /^bytes=(\d+)-/.exec(headers.range ?? "");
            const begin = Number(from);
            const end = Math.min(begin + 4, all.length);
            asked.push(begin);
            const shown = { "content-range": `bytes ${begin}-${end - 1}/${all.length}`, "content-length": `${end - begin}` };
            return Object.defineProperty(new Response(all.slice(begin, end), { status: 206, headers: shown }), "url", { value: String(url) });
        };
        const file = await opened();
        assert.equal(new TextDecoder().decode(await file.bytes(1, 10)), "123456789");
        assert.deepEqual(asked, [0, 1, 5, 9]);
    });

    test("that is not wanted any more is no broken one", async () => {
        globalThis.fetch = (_, { signal }) => new Promise((_, fail) => signal.addEventListener("abort", () => fail(signal.reason)));
        const control = new AbortController();
        const connecting = connect(at("/a"), null, { redirect: "manual" }, control.signal);
        control.abort();
        await assert.rejects(connecting, { name: "AbortError" });
    });

    test("for a part that breaks is tried again after pauses that grow, and given up in the end", async () => {
        const it = server(bytes("0123456789"));
        const file = await opened();
        it.asked.length = 0;
        it.fails = Infinity;
        let trouble = null;
        file.bytes(2, 5).catch((error) => (trouble = error));
        for (const [count, pause] of [500, 1000, 2000, 4000, 8000].entries()) {
            await settled();
            assert.equal(it.asked.length, count + 1);
            mock.timers.tick(pause - 1);
            await settled();
            assert.equal(it.asked.length, count + 1);
            mock.timers.tick(1);
        }
        await settled();
        assert.equal(it.asked.length, 6);
        assert.match(trouble.message, /ci\.example does not answer any more/);
    });
});

describe("a file on a server", () => {
    test("gives the bytes that are asked for", async () => {
        server(bytes("0123456789".repeat(3)));
        const file = await opened();
        assert.deepEqual([file.size, file.canGoOn, await file.givesParts()], [30, true, true]);
        assert.equal(new TextDecoder().decode(await file.bytes(2, 5)), "234");
    });

    test("gives no parts if its server does not, whatever it claims", async () => {
        const it = server(bytes("0123456789"));
        it.ranges = false;
        it.headers = { "accept-ranges": "bytes" };
        assert.equal(await (await opened()).givesParts(), false);
    });

    test("is not mixed with another one of that address", async () => {
        const it = server(bytes("0123456789"));
        it.headers = { etag: '"1"' };
        const file = await opened();
        it.headers = { etag: '"2"' };
        await assert.rejects(file.bytes(2, 5), { message: /changed on the server/ });
    });

    test("is asked for without a range where a request with one fails", async () => {
        const it = server(bytes("0123456789"));
        it.fails = 1;
        const file = await opened();
        assert.deepEqual(it.asked.map(({ range }) => range), ["bytes=0-", null]);
        assert.equal(file.canGoOn, false);
    });

    test("that is sent from elsewhere later on is not read without leave", async () => {
        const it = server(bytes("0123456789"));
        const file = await opened(at("/a"), async () => assert.fail("nobody is asked"));
        it.url = "https://evil.example/a";
        await assert.rejects(file.bytes(2, 5), { message: /evil\.example/ });
    });

    test("on another server is asked for once the user agrees to that", async () => {
        const it = server(bytes("0123456789"));
        const asked = [];
        const file = await opened(new URL("https://xn--bcher-kva.example:8443/a"), async (question) => void asked.push([question, it.asked.length]));
        assert.deepEqual(asked, [[{ host: "xn--bcher-kva.example:8443", follows: false }, 0]]);
    });
});

test("a log that is not wanted any more while the user is asked is never asked for", async () => {
    const { asked } = server(bytes("hdrb"));
    const [control, told] = [new AbortController(), []];
    void load({ opening: 1, url: "https://b.example/a", asks: true }, control.signal, (reply) => told.push(reply));
    await Promise.resolve();
    control.abort();
    assert.deepEqual([told, asked], [[{ kind: "ask", opening: 1, question: { host: "b.example", follows: false } }], []]);
});
