// Logs on servers: what their answers mean, and which requests follow. tests/browser/remote.test.js tests this in a real browser.

import { afterEach, beforeEach, describe, mock, test } from "node:test";
import assert from "node:assert/strict";
import { nameOf, urlOf } from "../../web/js/url.js";

globalThis.self = new EventTarget();
globalThis.location = new URL("https://ci.example/viewer/");
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const be = (userAgent) => Object.defineProperty(globalThis, "navigator", { value: { userAgent }, configurable: true });
be(CHROME);
// A real channel would keep the test from ending, and answers need none.
globalThis.MessageChannel = class {
    port1 = {};
    port2 = {};
};
const { isPart, isSame, isWebPage, mayBeCapped, refused, sizeIn, unanswered } = await import("../../web/js/worker/remote/answer.js");
const { accessTo } = await import("../../web/js/worker/remote/local.js");
const { Broken, connect } = await import("../../web/js/worker/remote/connection.js");
const { RemoteFile } = await import("../../web/js/worker/remote/file.js");
const { RemoteLog } = await import("../../web/js/worker/remote/log.js");
const { load } = await import("../../web/js/worker/remote.js");

const at = (path) => new URL(path, "https://ci.example/");
const bytes = (text) => new TextEncoder().encode(text);

describe("an address", () => {
    test("gives the name at its end", () => {
        assert.equal(nameOf(at("/runs/7/prog%20a.eventlog?token=1")), "prog a.eventlog");
        assert.equal(nameOf(at("/100%25.eventlog")), "100%.eventlog");
        // This is not a valid encoding; the name is shown unchanged.
        assert.equal(nameOf(at("/%ff.eventlog")), "%ff.eventlog");
        assert.equal(nameOf(at("/")), "ci.example");
    });

    test("is relative to the page, if it is valid", () => {
        assert.equal(urlOf("a.eventlog", "https://ci.example/runs/").href, "https://ci.example/runs/a.eventlog");
        assert.equal(urlOf("http://[", "https://ci.example/"), null);
        assert.equal(urlOf("a.eventlog"), null);
    });
});

describe("an answer", () => {
    const answer = (status, headers) => new Response(null, { status, headers });
    const part = (range, more) => answer(206, { "content-range": `bytes ${range}`, ...more });

    test("says how long the file is, unless it was compressed by the server", () => {
        assert.equal(sizeIn(part("0-99/100")), 100);
        assert.equal(sizeIn(part("0-49/100", { "content-length": "50" })), 100);
        assert.equal(sizeIn(answer(206, { "content-length": "70" })), 70);
        assert.equal(sizeIn(answer(200, {})), 0);
        assert.equal(sizeIn(answer(200, { "content-length": "70", "content-encoding": "gzip" })), 0);
        assert.equal(sizeIn(answer(200, { "content-length": "70", "content-encoding": "identity" })), 70);
    });

    test("may be less than the whole file if it does not show which bytes it has", () => {
        assert.ok(mayBeCapped(answer(206, { "content-length": "70" })));
        assert.ok(mayBeCapped(part("0-69/*")));
        assert.ok(!mayBeCapped(part("0-69/100")));
        assert.ok(!mayBeCapped(answer(200, { "content-length": "70" })));
    });

    test("is about the same file unless its headers say otherwise", () => {
        const first = part("0-99/100", { etag: '"1"', "last-modified": "a" });
        assert.ok(isSame(first, part("10-19/100", { etag: '"1"', "last-modified": "a" })));
        assert.ok(isSame(first, answer(206, {})), "pages from elsewhere are shown neither");
        assert.ok(!isSame(first, part("10-19/100", { etag: '"2"', "last-modified": "a" })));
        assert.ok(!isSame(first, part("10-19/100", { "last-modified": "b" })));
        assert.ok(!isSame(first, part("10-19/101", {})));
    });

    test("is the requested part, or is not used", () => {
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

    const refusals = {
        404: /no such file \(404\)/,
        403: /no passwords or cookies/,
        416: /does not have these bytes/,
        503: /try again later/,
        418: /does not send it \(418\)/,
    };
    for (const [status, said] of Object.entries(refusals)) {
        test(`of ${status} is explained`, () => assert.match(refused(answer(Number(status), {})).message, said));
    }

    test("that does not come gives distinct reasons", () => {
        const said = (url, why) =>
            unanswered(url, { isForbidden: false, mayHaveFollowed: false, hasFollowed: false, nearby: "unknown", ...why }).message;
        assert.equal(said(at("/a"), {}), "the server cannot be reached");
        assert.match(said(at("/a"), { mayHaveFollowed: true }), /^the server cannot be reached, or redirects to one that/);
        assert.match(
            said(at("/a"), { mayHaveFollowed: true, hasFollowed: true }),
            /^ci\.example redirects in a circle, or the server that it redirects to cannot be reached/,
        );
        assert.match(said(new URL("https://b.example/a"), {}), /^b\.example .*Access-Control-Allow-Origin/);
        assert.match(said(new URL("https://b.example/a"), { isForbidden: true }), /policy/);
        assert.match(said(new URL("http://b.example/a"), {}), /^browsers do not let a page loaded by https read by http/);
    });

    test("from the reader's own computer gives the reasons that there may be, and how to allow it", () => {
        const why = { isForbidden: false, mayHaveFollowed: false, hasFollowed: false, nearby: "unknown" };
        const said = (url, more) => unanswered(new URL(url), { ...why, ...more }).message;
        for (const host of ["localhost:9000", "a.localhost", "127.0.0.1:8000", "[::1]:8000"]) {
            const text = said(`http://${host}/a.eventlog`);
            assert.ok(text.includes(`no server answers at ${host};`), text);
            assert.match(text, /Access-Control-Allow-Origin/);
            assert.match(text, /sign to the left of this page's address, allow access to the local network/);
            assert.doesNotMatch(text, /by http/, "browsers allow that");
        }
        // What is known already is not asked for.
        assert.doesNotMatch(said("http://localhost/a", { nearby: "granted" }), /allow access/);
        assert.match(
            said("http://localhost/a", { nearby: "denied" }),
            /^this browser does not let this page read from localhost\. To allow it, click/,
        );
        for (const host of ["192.168.1.7", "10.0.0.1", "172.20.0.1", "printer.local", "[fd00::1]"]) {
            assert.match(said(`http://${host}/a`), /read there by http; .*allow access/);
        }
        for (const host of ["localhost.example", "11.0.0.1", "172.32.0.1", "local"]) {
            assert.match(said(`http://${host}/a`), /^browsers do not let a page loaded by https read by http/);
        }
    });

    test("the browser's permission is that for the host: the reader's computer and network have one each", async () => {
        const given = async (states, host) => {
            const query = async ({ name }) => {
                if (!(name in states)) throw new TypeError("unknown");
                return { state: states[name] };
            };
            navigator.permissions = { query };
            return accessTo(host);
        };
        const apart = { "loopback-network": "prompt", "local-network": "denied", "local-network-access": "denied" };
        assert.equal(await given(apart, "localhost"), "unknown", "nothing was answered about this computer");
        assert.equal(await given(apart, "192.168.0.7"), "denied");
        assert.equal(await given({ ...apart, "loopback-network": "granted" }, "127.0.0.1"), "granted");
        // Earlier versions of the browser have one for both.
        assert.equal(await given({ "local-network-access": "denied" }, "localhost"), "denied");
        assert.equal(await given({ "local-network-access": "granted" }, "10.0.0.1"), "granted");
        assert.equal(await given({}, "localhost"), "unknown", "a browser without such a permission");
    });

    test("from the reader's own computer: Safari refuses, and pages that are there themselves need no permission", () => {
        const why = { isForbidden: false, mayHaveFollowed: false, hasFollowed: false, nearby: "unknown" };
        const said = (url) => unanswered(new URL(url), why).message;
        be("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15");
        assert.match(said("http://localhost/a"), /^Safari does not let/);
        assert.match(said("https://localhost/a"), /no server answers/);
        be(CHROME);
        assert.match(said("http://localhost/a"), /no server answers/);
        const { location } = globalThis;
        globalThis.location = new URL("http://localhost:8000/");
        assert.match(said("http://localhost:9000/a"), /^localhost:9000 cannot be reached, or does not let other sites' pages/);
        globalThis.location = new URL("http://viewer.example/");
        assert.match(said("http://localhost:9000/a"), /lets only pages loaded by https read from there/);
        globalThis.location = location;
    });
});

/** A server with one file; tests can change it. */
function server(content) {
    const asked = [];
    // The most bytes of an answer; whether it shows which it has; which answers are empty.
    const it = { asked, content, ranges: true, headers: {}, fails: 0, cap: Infinity, showsRange: false, empty: () => false };
    globalThis.fetch = async (url, { headers, signal, ...how }) => {
        asked.push({ range: headers?.range ?? null, ...how });
        signal.throwIfAborted();
        if (it.fails-- > 0) throw new TypeError("Failed to fetch");
        const [, from, to] = (it.ranges && /^bytes=(\d+)-(\d*)$/.exec(headers?.range ?? "")) || [];
        const end = Math.min(to ? Number(to) + 1 : it.content.length, Number(from) + it.cap);
        const part = from === undefined ? it.content : it.content.slice(Number(from), end);
        const shown = it.showsRange ? { "content-range": `bytes ${from}-${end - 1}/${it.content.length}` } : {};
        const says = { "content-length": part.length, ...shown, ...it.headers };
        const response = new Response(it.empty(asked.length) ? null : part, { status: from === undefined ? 200 : 206, headers: says });
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

    test("sends no cookies and no referrer", async () => {
        const { asked } = server(bytes("abc"));
        const { close } = await connect(at("/a"), "bytes=0-", { redirect: "manual" }, new AbortController().signal);
        close();
        const how = { credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", redirect: "manual" };
        assert.deepEqual(asked, [{ range: "bytes=0-", ...how }]);
    });

    /** Checks that it fails after this time, and not before. */
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

    test("counts as broken when it is not answered in three minutes, including waiting for others", async () => {
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
            return Object.defineProperty(new Response(all.slice(begin, end), { status: 206, headers: shown }), "url", {
                value: String(url),
            });
        };
        const file = await opened();
        assert.equal(new TextDecoder().decode(await file.bytes(1, 10)), "123456789");
        assert.deepEqual(asked, [0, 1, 5, 9]);
    });

    test("that is no longer wanted does not count as broken", async () => {
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
        assert.match(trouble.message, /ci\.example no longer answers/);
    });
});

describe("a file on a server", () => {
    test("gives the requested bytes", async () => {
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

    test("is not mixed with another one at the same address", async () => {
        const it = server(bytes("0123456789"));
        it.headers = { etag: '"1"' };
        const file = await opened();
        it.headers = { etag: '"2"' };
        await assert.rejects(file.bytes(2, 5), { message: /changed on the server/ });
    });

    test("is requested without a range if a request with one fails", async () => {
        const it = server(bytes("0123456789"));
        it.fails = 1;
        const file = await opened();
        assert.deepEqual(
            it.asked.map(({ range }) => range),
            ["bytes=0-", null],
        );
        assert.equal(file.canGoOn, false);
    });

    test("that is redirected later is not read without consent", async () => {
        const it = server(bytes("0123456789"));
        const file = await opened(at("/a"), async () => assert.fail("nobody is asked"));
        it.url = "https://evil.example/a";
        await assert.rejects(file.bytes(2, 5), { message: /evil\.example/ });
    });

    test("on another server is requested once the user agrees", async () => {
        const it = server(bytes("0123456789"));
        const asked = [];
        const askReader = async (question) => void asked.push([question, it.asked.length]);
        await opened(new URL("https://xn--bcher-kva.example:8443/a"), askReader);
        assert.deepEqual(asked, [[{ host: "xn--bcher-kva.example:8443", follows: false }, 0]]);
    });
});

describe("a log that comes a few bytes at a time", () => {
    const TEXT = "0123456789".repeat(10);
    /** Everything that comes, and the requests meanwhile; timers do not wait, but are counted. */
    async function readAll(change) {
        const it = server(bytes(TEXT));
        it.cap = 30;
        change(it);
        const pauses = [];
        mock.method(globalThis, "setTimeout", (act, ms) => {
            // Connections have timers, too, which do not end here.
            if (ms <= 8000) queueMicrotask(() => (pauses.push(ms), act()));
        });
        const { file, connection } = await RemoteFile.open(at("/a"), null, new AbortController().signal);
        const log = new RemoteLog(file, connection, () => {});
        let text = "";
        let trouble = "";
        try {
            for await (const piece of log.pieces()) text += new TextDecoder().decode(piece);
        } catch (error) {
            trouble = error.message;
        } finally {
            mock.restoreAll();
        }
        return { text, trouble, pauses, size: log.size, ranges: it.asked.map(({ range }) => range) };
    }

    test("is requested again, without pauses, until all of it has come", async () => {
        const { text, trouble, pauses, size, ranges } = await readAll((it) => (it.showsRange = true));
        assert.deepEqual([text, trouble, pauses, size], [TEXT, "", [], 100]);
        assert.deepEqual(ranges, ["bytes=0-", "bytes=30-99", "bytes=60-99", "bytes=90-99"]);
    });

    test("of unknown length is requested from its last byte on, until nothing follows that", async () => {
        const { text, trouble, pauses, size, ranges } = await readAll(() => {});
        assert.deepEqual([text, trouble, pauses, size], [TEXT, "", [], 100]);
        assert.deepEqual(ranges, ["bytes=0-", "bytes=29-", "bytes=58-", "bytes=87-", "bytes=99-"]);
    });

    test("is requested again, after pauses, if looking for more fails", async () => {
        const { text, pauses } = await readAll((it) => (it.empty = (count) => count === 5 || count === 6));
        assert.deepEqual([text, pauses], [TEXT, [500, 1000]]);
    });

    test("is given up if nothing more comes", async () => {
        for (const showsRange of [true, false]) {
            const { text, trouble, pauses } = await readAll((it) => Object.assign(it, { showsRange, empty: (count) => count > 1 }));
            assert.deepEqual([text, pauses], [TEXT.slice(0, 30), [500, 1000, 2000, 4000, 8000]]);
            assert.match(trouble, /broke at byte 30, and could not be restored/);
        }
    });

    test("is not read forever from a server that always sends the same bytes", async () => {
        const { text, trouble } = await readAll(() => {
            const { fetch } = globalThis;
            globalThis.fetch = (url, request) => fetch(url, { ...request, headers: { range: "bytes=0-" } });
        });
        assert.deepEqual([text, /was changed on the server/.test(trouble)], [TEXT.slice(0, 30), true]);
    });

    test("has no size before all of it has come, unless a first request beyond its end shows it", async () => {
        const it = server(bytes(TEXT));
        const whole = await opened();
        assert.deepEqual([whole.mayBeLonger, await whole.givesParts(), whole.size, whole.mayBeLonger], [true, true, 100, false]);
        it.cap = 30;
        const capped = await opened();
        assert.deepEqual([capped.size, await capped.givesParts(), capped.size, capped.mayBeLonger], [30, true, 0, true]);
    });
});

describe("a server that redirects", () => {
    const AWAY = Object.defineProperties(new Response(null), { type: { value: "opaqueredirect" }, status: { value: 0 } });
    /** Like a browser: follows redirects within the own server, or anywhere, or not at all, and then reports no target. */
    function redirects(to) {
        const asked = [];
        globalThis.fetch = async (_url, { mode, redirect, headers }) => {
            asked.push([headers?.range ?? null, mode ?? redirect]);
            const isOwn = new URL(to).origin === location.origin;
            if (redirect === "manual") return AWAY;
            if (mode === "same-origin" && !isOwn) throw new TypeError("Failed to fetch");
            return Object.defineProperties(new Response("abc", { status: 206 }), { url: { value: to }, redirected: { value: true } });
        };
        return asked;
    }

    test("is followed within the page's own server, also for parts", async () => {
        const asked = redirects("https://ci.example/b");
        const file = await opened(at("/a"), () => assert.fail("nobody is asked"));
        (await file.part(1, 2, new AbortController().signal).catch(() => null))?.close();
        assert.deepEqual(asked, [
            ["bytes=0-", "same-origin"],
            ["bytes=1-1", "same-origin"],
        ]);
    });

    for (const url of ["https://ci.example/a", "https://a.example/a"]) {
        test(`is not followed from ${url} to another one before the user agrees, who then learns which`, async () => {
            const asked = redirects("https://b.example/a");
            const questions = [];
            await opened(
                new URL(url),
                async (question) => void questions.push([question, asked.filter(([, how]) => how === "follow").length]),
            );
            const isOwn = url.startsWith(location.origin);
            assert.deepEqual(questions.slice(isOwn ? 0 : 1), [
                [{ host: isOwn ? null : "a.example", follows: true }, 0],
                [{ host: "b.example", follows: false }, 1],
            ]);
            assert.equal(questions.length, isOwn ? 2 : 3);
        });
    }

    test("is followed at once if the user need not be asked", async () => {
        const asked = redirects("https://b.example/a");
        await opened();
        assert.deepEqual(asked, [["bytes=0-", "follow"]]);
    });
});

test("the user's consent is for one question", async () => {
    const questions = [];
    let allow = () => {};
    const ask = (question) => {
        questions.push(question);
        return new Promise((allowed) => (allow = allowed));
    };
    globalThis.fetch = async (_, { redirect }) => {
        const url = { value: "https://b.example/a" };
        const type = { value: redirect === "manual" ? "opaqueredirect" : "cors" };
        return Object.defineProperties(new Response(null), { type, url });
    };
    const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
    const control = new AbortController();
    void load({ url: "https://a.example/a", asks: true }, control.signal, ask);
    await settled();
    for (const count of [2, 3]) {
        const agree = allow;
        agree();
        agree();
        await settled();
        assert.equal(questions.length, count);
    }
    control.abort();
    assert.deepEqual(
        questions.map(({ host, follows }) => [host, follows]),
        [
            ["a.example", false],
            ["a.example", true],
            ["b.example", false],
        ],
    );
});

test("a log that is given up while the user is asked is never requested", async () => {
    const { asked } = server(bytes("hdrb"));
    const [control, questions] = [new AbortController(), []];
    const ask = (question) => new Promise(() => questions.push(question));
    void load({ url: "https://b.example/a", asks: true }, control.signal, ask);
    await Promise.resolve();
    control.abort();
    assert.deepEqual([questions, asked], [[{ host: "b.example", follows: false }], []]);
});
