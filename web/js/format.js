// Numbers as people read them. Times are nanoseconds.

const THIN = "\u202f";

/** @type {[number, string][]} */
const TIME_UNITS = [
    [1e9, "s"],
    [1e6, "ms"],
    [1e3, "µs"],
    [1, "ns"],
];

/** @type {[number, string][]} */
const SIZE_UNITS = [
    [2 ** 40, "TiB"],
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
];

/**
 * A whole number, with its digits in groups of three.
 * @param {number} value
 */
export function count(value) {
    return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, THIN);
}

/**
 * @param {number} value
 * @param {number} digits significant ones
 */
function significant(value, digits) {
    if (value === 0) return "0";
    // Of the rounded number: 999.96 with three digits is 1000, which has four before the point.
    const whole = Math.floor(Math.log10(Number(Math.abs(value).toPrecision(digits)))) + 1;
    return value.toFixed(Math.max(0, digits - whole));
}

/**
 * A duration with three or four digits: "1.284 ms", "2 min 5 s".
 * @param {number} ns
 * @returns {string}
 */
export function duration(ns) {
    if (ns < 0) return `−${duration(-ns)}`;
    const seconds = Math.round(ns / 1e9);
    if (seconds >= 3600) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
    if (seconds >= 100) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    // A number that would be rounded up to a thousand is shown as 1 of the next unit.
    const [unit, name] = TIME_UNITS.find(([size]) => ns >= size * 0.99995) ?? [1, "ns"];
    if (unit === 1) return `${Math.round(ns)} ns`;
    // Computed in whole numbers, as on the command line: 37 055 ns are 37.06 µs, although the floating-point number nearest to 37.055 is
    // below that.
    const digits = [3, 2, 1].find((digits) => Math.round(ns / (unit / 10 ** digits)) < 10_000) ?? 0;
    return `${(Math.round(ns / (unit / 10 ** digits)) / 10 ** digits).toFixed(digits)} ${name}`;
}

/**
 * A point in time, to the nanosecond if need be: "1.284 503 221 s" in the unit that fits its size. Larger steps round it.
 * @param {number} ns
 * @param {number} [step] the smallest difference that matters
 * @returns {string}
 */
export function time(ns, step = 1) {
    if (ns === 0) return "0";
    const [unit, name] = TIME_UNITS.find(([size]) => Math.abs(ns) >= size) ?? [1, "ns"];
    const digits = digitsFor(step / unit);
    // Rounding up may lead to another unit.
    const grain = unit / 10 ** digits;
    const rounded = Math.round(ns / grain) * grain;
    if (rounded !== ns) return time(rounded, step);
    if (ns < 0) return `−${time(-ns, step)}`;
    if (ns >= 60e9) return `${clock(Math.floor(ns / 1e9))}${fraction((ns % 1e9) / 1e9, digits)}`;
    const whole = Math.floor(ns / unit);
    return `${whole}${fraction((ns - whole * unit) / unit, digits)} ${name}`;
}

/**
 * From one time to another, such as "66.9–121.5 ms", with as many digits as their distance needs.
 * @param {number} from
 * @param {number} to
 */
export function interval(from, to) {
    const step = stepOf(from, to);
    const [first, last] = [time(from, step), time(to, step)];
    const unit = / \D+$/.exec(last)?.[0];
    return `${unit && first.endsWith(unit) ? first.slice(0, -unit.length) : first}–${last}`;
}

/**
 * The smallest difference that matters in the ends of an interval.
 * @param {number} from
 * @param {number} to
 */
export function stepOf(from, to) {
    return 10 ** Math.floor(Math.log10(Math.max((to - from) / 100, 1)));
}

/**
 * The number of digits after the point that a step needs; 0 for whole steps.
 * @param {number} step
 */
export function digitsFor(step) {
    return Math.min(9, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
}

/**
 * Hours, minutes and seconds, without leading zeros.
 * @param {number} seconds
 */
function clock(seconds) {
    /** @param {number} n */
    const two = (n) => String(n).padStart(2, "0");
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/**
 * The digits after the point, in groups of three.
 * @param {number} part
 * @param {number} digits the number of digits
 */
export function fraction(part, digits) {
    if (digits === 0) return "";
    const text = Math.min(part, 1 - 10 ** -digits)
        .toFixed(digits)
        .slice(2);
    return `.${text.replace(/(\d{3})(?=\d)/g, `$1${THIN}`)}`;
}

/**
 * A size: "12.3 MiB", exact bytes below 1 KiB.
 * @param {number} value
 */
export function bytes(value) {
    const [unit, name] = SIZE_UNITS.find(([size]) => value >= size * (1 - 0.5 / 1024)) ?? [0, ""];
    return unit ? `${significant(value / unit, 3)} ${name}` : `${value} B`;
}

/**
 * A share between 0 and 1.
 * @param {number} value
 */
export function percent(value) {
    const percents = value * 100;
    if (percents > 0 && percents < 0.01) return "< 0.01 %";
    if (percents >= 99.95 && percents < 100) return "> 99.9 %";
    return `${percents >= 100 || percents === 0 ? percents.toFixed(0) : percents.toFixed(percents < 1 ? 2 : 1)} %`;
}

/** @param {string} text */
export function capitalized(text) {
    return text && text[0].toUpperCase() + text.slice(1);
}

/**
 * A message as a sentence.
 * @param {string} text
 */
export function sentence(text) {
    return text && `${capitalized(text)}.`;
}

/**
 * Characters that would be invisible, or would change the direction of other text. `is_hidden` of the crate `ghc-eventlog-text` lists the
 * same: a test compares them.
 */
const HIDDEN = /[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * A text from outside, such as a file's name, with hidden characters made visible. Texts of a log have been treated so in wasm, by the same
 * rule. Visible characters stay.
 * @param {string} text
 */
export function visible(text) {
    return text.replace(HIDDEN, (mark) => {
        const code = mark.codePointAt(0) ?? 0;
        if (code < 0x20) return String.fromCharCode(0x2400 + code);
        return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
    });
}

/**
 * How many more bytes, or fewer.
 * @param {number} value
 */
function change(value) {
    return `${value > 0 ? "+" : value < 0 ? "−" : ""}${bytes(Math.abs(value))}`;
}

/**
 * How to write the numbers of each unit; times count from the log's start.
 * @type {Record<import("./protocol.js").Unit, (value: number) => string>}
 */
const WRITTEN = {
    text: String,
    time,
    duration,
    bytes,
    "bytes/s": (value) => `${bytes(value)}/s`,
    count,
    "count/s": (value) => `${count(value)}/s`,
    share: percent,
    thread: String,
    capability: (cap) => `cap ${cap}`,
    offset: count,
    bytes·ns: (value) => `${bytes(Math.floor(value / 1e9))}·s`,
    "±bytes/s": (value) => `${change(value)}/s`,
    "±bytes": change,
    integer: (value) => (value < 0 ? "−" : "") + count(Math.abs(value)),
    levels: bytes,
};

/**
 * Values from one to below another: "100–200 µs". For whole numbers, up to the last one.
 * @param {import("./protocol.js").Unit} unit
 * @param {{ from: number, to: number }} values
 */
export function valuesText(unit, { from, to }) {
    // Ends of bins are round numbers.
    const written = (/** @type {number} */ value) => WRITTEN[unit](value).replace(/\.0+(?= )/, "");
    const [first, last] = [from, unit === "count" ? to - 1 : to].map(written);
    if (first === last) return first;
    // The unit is written only once if both have the same; but "1 min 40 s" is not a number of seconds.
    const [unitOfFirst, unitOfLast] = [first, last].map((text) => /^[\d.\u202f]+( \D+)$/.exec(text)?.[1]);
    return `${unitOfFirst && unitOfFirst === unitOfLast ? first.slice(0, -unitOfFirst.length) : first}–${last}`;
}

/**
 * A value as text, in its unit.
 * @param {import("./protocol.js").Unit | "unknown"} unit
 * @param {import("./protocol.js").Value} value
 * @param {number | Pick<import("./times.js").Times, "text">} times how moments are written, or the time that is shown as 0
 * @param {string} [unknown] the text for an unknown value
 */
export function valueText(unit, value, times, unknown = "not known") {
    if (typeof value === "string") return visible(value);
    if (Array.isArray(value) && unit !== "unknown" && unit !== "levels") return `between ${value.map(WRITTEN[unit]).join(" and ")}`;
    if (unit === "unknown" || typeof value !== "number") return unknown;
    if (unit !== "time") return WRITTEN[unit](value);
    return typeof times === "number" ? time(value - times) : times.text(value);
}
