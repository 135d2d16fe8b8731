import { test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { bytes, count, duration, interval, percent, sentence, time, valueText, valuesText, visible } from "../../web/js/format.js";

const SECOND = 1e9;

/** The text with plain spaces: the kind of space does not matter here. */
const plain = (text) => text.replace(/\u202f/g, " ");

/** The nanoseconds of a time as text. */
function read(text) {
    const clock = /^(?:(\d+):)?(\d+):(\d\d)(?:\.([\d ]+))?$/.exec(plain(text));
    if (clock) {
        const [, h = "0", m, s, part = ""] = clock;
        const seconds = Number(h) * 3600 + Number(m) * 60 + Number(s);
        return BigInt(seconds) * 1_000_000_000n + BigInt(part.replaceAll(" ", "").padEnd(9, "0"));
    }
    if (text === "0") return 0n;
    const [, whole, part = "", unit] = /^(\d+)(?:\.([\d ]+))? (s|ms|µs|ns)$/.exec(plain(text));
    const digits = { s: 9, ms: 6, µs: 3, ns: 0 }[unit];
    return BigInt(whole + part.replaceAll(" ", "").padEnd(digits, "0"));
}

test("a duration has the unit that fits it", () => {
    const cases = [
        [0, "0 ns"],
        [1, "1 ns"],
        [999, "999 ns"],
        [1000, "1.000 µs"],
        [12_340, "12.34 µs"],
        [37_055, "37.06 µs"],
        [99_995, "100.0 µs"],
        [1_284_000, "1.284 ms"],
        [250_600_000, "250.6 ms"],
        [2.5 * SECOND, "2.500 s"],
        [99 * SECOND, "99.00 s"],
        [125 * SECOND, "2 min 5 s"],
        [3600 * SECOND, "1 h 0 min"],
        [(25 * 3600 + 120) * SECOND, "25 h 2 min"],
    ];
    for (const [ns, text] of cases) assert.equal(duration(ns), text);
});

test("a duration below zero has a minus sign", () => {
    assert.equal(duration(-1500), "−1.500 µs");
});

test("a duration has four digits at most, even if it is rounded up", () => {
    for (const size of [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10]) {
        for (const below of [0.99999, 0.999951, 0.99994, 1, 1.000049]) {
            const text = duration(size * below);
            assert.ok(text.replace(/\D/g, "").length <= 4, `${size * below} ns is "${text}"`);
        }
    }
});

test("a time is exact to the nanosecond, with its digits in groups of three", () => {
    assert.equal(plain(time(1_284_503_221)), "1.284 503 221 s");
    assert.equal(plain(time(30_859_980)), "30.859 980 ms");
    assert.equal(plain(time(7)), "7 ns");
    assert.equal(time(0), "0");
    assert.equal(plain(time(-1500)), "−1.500 µs");
});

test("a time has no more digits than its step needs", () => {
    assert.equal(time(1_284_000_000, 1e6), "1.284 s");
    assert.equal(time(3 * SECOND, SECOND), "3 s");
    assert.equal(time(20_000, 500), "20.0 µs");
    assert.equal(plain(time(20_500, 20)), "20.50 µs");
});

test("a time with fewer digits is rounded, also to the next unit", () => {
    assert.equal(time(1_284_600_000, 1e6), "1.285 s");
    assert.equal(time(2_999_900_000, 1e6), "3.000 s");
    assert.equal(time(999_999, 1000), "1.000 ms");
    assert.equal(time(59_999_900_000, 1e6), "1:00.000");
    assert.equal(time(119.6 * SECOND, SECOND), "2:00");
    assert.equal(time(-1600, 1000), "−2 µs");
    assert.equal(time(0.3), "0");
    assert.equal(time(-0.3), "0");
    assert.equal(time(7 * 86400 * SECOND, 86400 * SECOND), "168:00:00");
});

test("a time of a minute or more is written like a clock", () => {
    assert.equal(time(60 * SECOND, SECOND), "1:00");
    assert.equal(time(3661 * SECOND, SECOND), "1:01:01");
    assert.equal(time(100 * 3600 * SECOND, SECOND), "100:00:00");
    assert.equal(plain(time(90 * SECOND + 1, 1)), "1:30.000 000 001");
});

test("no nanosecond is lost in a time, up to a hundred days", () => {
    const times = [1, 999, 999_999, 1_000_001, 999_999_999, 59_999_999_999, 60_000_000_001, 8_640_000_000_000_001];
    // A fixed series that visits all sizes.
    for (let at = 1, ns = 3; ns < 8.6e15; at++, ns = Math.floor(ns * 1.7) + at) times.push(ns);
    for (const ns of times) assert.equal(read(time(ns)), BigInt(ns), time(ns));
});

test("a count has its digits in groups of three", () => {
    assert.equal(plain(count(0)), "0");
    assert.equal(plain(count(999)), "999");
    assert.equal(plain(count(1644)), "1 644");
    assert.equal(plain(count(12_345_678)), "12 345 678");
    assert.doesNotMatch(count(12_345_678), / /, "a thin space that does not break");
});

test("a size is in binary units, exact below 1 KiB", () => {
    const cases = [
        [0, "0 B"],
        [1023, "1023 B"],
        [1024, "1.00 KiB"],
        [33_118, "32.3 KiB"],
        [100 * 2 ** 20, "100 MiB"],
        [2.5 * 2 ** 30, "2.50 GiB"],
        [3 * 2 ** 40, "3.00 TiB"],
    ];
    for (const [size, text] of cases) assert.equal(bytes(size), text);
});

test("a size is never 1024 of a unit if there is a larger one", () => {
    for (const unit of [2 ** 20, 2 ** 30, 2 ** 40]) assert.doesNotMatch(bytes(unit - 1), /^1024 /);
});

test("a share distinguishes 0 from very little, and all from almost all", () => {
    const cases = [
        [0, "0 %"],
        [0.00001, "< 0.01 %"],
        [0.0012, "0.12 %"],
        [0.1733, "17.3 %"],
        [0.999, "99.9 %"],
        [0.9994, "99.9 %"],
        [0.9996, "> 99.9 %"],
        [1 - 1e-12, "> 99.9 %"],
        [1, "100 %"],
    ];
    for (const [share, text] of cases) assert.equal(percent(share), text);
});

test("a message becomes a sentence; an empty one stays empty", () => {
    assert.equal(sentence("cut off at offset 3"), "Cut off at offset 3.");
    assert.equal(sentence(""), "");
});

test("control characters are made visible", () => {
    assert.equal(visible("two\nlines"), "two␊lines");
    assert.equal(visible("cut at\0the NUL"), "cut at␀the NUL");
    assert.equal(visible("\u007f\u0085"), "\\u007f\\u0085");
});

test("no character stays that controls, reverses text or is invisible", () => {
    const controls = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b-\u200d\u2060\ufeff]/u;
    let found = 0;
    for (let code = 0; code <= 0xffff; code++) {
        const mark = String.fromCharCode(code);
        if (!controls.test(mark)) continue;
        found += 1;
        const shown = visible(`a${mark}b`);
        assert.ok(!controls.test(shown) && shown.length >= 3, `U+${code.toString(16).padStart(4, "0")}`);
    }
    assert.ok(found >= 65 + 12 + 2 + 5);
});

test("the page and the command line hide the same characters", async () => {
    const source = await readFile(new URL("../../crates/ghc-eventlog-text/src/doors.rs", import.meta.url), "utf8");
    const body = /const fn is_hidden.*?\{(.*?)\n\}/s.exec(source)?.[1] ?? "";
    const code = String.raw`'(?:\\u\{(\w+)\}|\\x(\w\w)|\\(0))'`;
    /** @param {(string | undefined)[]} digits */
    const number = (...digits) => Number.parseInt(digits.find(Boolean) ?? "", 16);
    const ranges = [...body.matchAll(new RegExp(`${code}(?:\\.\\.=${code})?`, "g"))].map(([, a, b, c, d, e, f]) => [
        number(a, b, c),
        number(d ?? a, e ?? b, f ?? c),
    ]);
    assert.ok(ranges.length > 8);
    for (let code = 0; code <= 0x10ffff; code++) {
        const mark = String.fromCodePoint(code);
        assert.equal(
            visible(mark) !== mark,
            ranges.some(([from, to]) => from <= code && code <= to),
            `U+${code.toString(16)}`,
        );
    }
});

test("ordinary text is unchanged", () => {
    const texts = ["", "cashier ☕", "<b>last</b> label", "длинно", "e\u0301", "👨 🇩🇪", "עברית", '=1+1, "quoted"'];
    for (const text of texts) assert.equal(visible(text), text);
});

test("an interval names a unit once if both ends have the same, and is as exact as it is long", () => {
    assert.equal(interval(66.9e6, 121.5e6), "66.9–121.5 ms");
    assert.equal(interval(0, 30.4e6), "0–30.4 ms");
    assert.equal(interval(980e6, 1.2e9), "980 ms–1.200 s");
    assert.equal(interval(3.0992e6, 3.1201e6), "3.099\u202f2–3.120\u202f1 ms");
    assert.equal(interval(5, 6), "5–6 ns");
    assert.equal(interval(65e9, 125e9), "1:05.0–2:05.0");
});

test("a value is written in its unit; an unknown value is not 0", () => {
    assert.equal(plain(valueText("time", 1_500_000_000, 500_000_000)), "1.000 000 000 s");
    assert.equal(valueText("duration", 1_284_000, 99), "1.284 ms");
    assert.equal(valueText("bytes", 3 * 2 ** 20, 0), "3.00 MiB");
    assert.equal(valueText("bytes", [0, 87_040], 0), "between 0 B and 85.0 KiB");
    assert.equal(valueText("share", 0.5, 0), "50.0 %");
    assert.equal(valueText("thread", 7, 0), "7");
    assert.equal(valueText("capability", 0, 0), "cap 0");
    assert.equal(plain(valueText("offset", 199_987, 0)), "199 987");
    assert.equal(valueText("text", "a\0b", 0), "a␀b");
    assert.equal(valueText("bytes", null, 0), "not known");
    assert.equal(valueText("unknown", undefined, 0), "not known");
    assert.equal(valueText("bytes", null, 0, "–"), "–");
});

test("the values of a bin are written with round ends, and their unit once", () => {
    assert.equal(valuesText("duration", { from: 100_000, to: 200_000 }), "100–200 µs");
    assert.equal(valuesText("duration", { from: 500_000, to: 1_000_000 }), "500 µs–1 ms");
    assert.equal(valuesText("duration", { from: 50e9, to: 100e9 }), "50 s–1 min 40 s");
    assert.equal(valuesText("duration", { from: 100e9, to: 200e9 }), "1 min 40 s–3 min 20 s");
    assert.equal(valuesText("count", { from: 2, to: 5 }), "2–4");
    assert.equal(valuesText("count", { from: 1, to: 2 }), "1");
});

test("a rate is an amount per second", () => {
    assert.equal(valueText("bytes/s", 1.2 * 2 ** 30, 0), "1.20 GiB/s");
    assert.deepEqual(
        [0, 1.5e9, 1024e9].map((value) => valueText("bytes·ns", value, 0)),
        ["0 B·s", "1 B·s", "1.00 KiB·s"],
    );
    assert.deepEqual(
        [0, 12, -2048].map((value) => valueText("±bytes/s", value, 0)),
        ["0 B/s", "+12 B/s", "−2.00 KiB/s"],
    );
    assert.equal(plain(valueText("count/s", 12_345, 0)), "12 345/s");
});
