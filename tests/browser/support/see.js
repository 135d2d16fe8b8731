// Reads what is visible on the page: pixels of the canvases, and numbers as text.

import { PATIENCE } from "./patience.js";

const UNITS = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 };

/**
 * The nanoseconds of a duration or time as text, and how much the text rounds.
 * @param {string} text such as "1.284 ms" or "2 min 5 s", or of a time from a minute on "1:02.5" or "1:00:02.5"
 */
export function readTime(text) {
    if (text === "0") return { ns: 0, step: 1 };
    let [ns, step] = [0, 0];
    const clock = /^(?:(\d+):)?(\d+):(\d\d(?:\.(\d+))?)$/.exec(text.replaceAll("\u202f", "").trim());
    if (clock) {
        const [, hours = "0", minutes, seconds, digits = ""] = clock;
        return {
            ns: Number(hours) * UNITS.h + Number(minutes) * UNITS.min + Number(seconds) * UNITS.s,
            step: UNITS.s * 10 ** -digits.length,
        };
    }
    for (const [, digits, unit] of text.replace(/(?<=\d)\u202f(?=\d)/g, "").matchAll(/([\d.]+) (ns|µs|ms|s|min|h)\b/g)) {
        ns += Number(digits) * UNITS[unit];
        step = UNITS[unit] * 10 ** -(digits.split(".")[1]?.length ?? 0);
    }
    if (step === 0) throw new Error(`no time in "${text}"`);
    return { ns, step };
}

/** Whether a time as text is these nanoseconds, rounded. */
export function tells(text, ns) {
    const { ns: written, step } = readTime(text);
    return Math.abs(written - ns) <= step / 2 + ns * 1e-12;
}

/**
 * A track's lane, at its bottom, below its text: the role of each pixel's colour, or "" for a mix or another colour.
 * @returns {Promise<{ left: number, y: number, roles: string[] }>} `left` edge and middle `y`, in the window
 */
export async function lane(page, name) {
    // A log is ready one frame before its tracks are drawn.
    await page
        .locator("#headers .track", { has: page.getByText(name, { exact: true }) })
        .first()
        .waitFor();
    return page.evaluate((name) => {
        const style = getComputedStyle(document.documentElement);
        const roles = [
            "running",
            "runnable",
            "blocked",
            "foreign",
            "foreign-of-runtime",
            "gc-working",
            "gc-wait",
            "gc-sync",
            "census",
            "gc-major",
            "panel",
            "background",
            "accent",
            "line",
            "hatch",
            "muted",
            "spark",
        ];
        const parse = (hex) => Number.parseInt(hex.trim().slice(1), 16);
        const known = new Map(roles.map((role) => [parse(style.getPropertyValue(`--${role}`)), role]));
        const header = [...document.querySelectorAll("#headers .track")].find((track) => track.firstElementChild.textContent === name);
        const canvas = document.getElementById("canvas");
        const [row, box] = [header.getBoundingClientRect(), canvas.getBoundingClientRect()];
        // Shares of time are drawn as heights, from the bottom.
        const [x, y] = [row.right - box.left, row.bottom - box.top - 6].map(Math.round);
        const { data, width } = canvas.getContext("2d").getImageData(x, y, canvas.width - x, 1);
        const colours = Array.from({ length: width }, (_, at) => (data[at * 4] << 16) | (data[at * 4 + 1] << 8) | data[at * 4 + 2]);
        return {
            left: row.right,
            y: (row.top + row.bottom) / 2,
            roles: colours.map((colour) => known.get(colour) ?? ""),
        };
    }, name);
}

/** The number of pixels of a lane that have a role's colour. */
export async function pixelsOf(page, name, role) {
    const { roles } = await lane(page, name);
    return roles.filter((other) => other === role).length;
}

/** The number of pixels of a lane that show any activity. */
export async function drawn(page, name) {
    const { roles } = await lane(page, name);
    return roles.filter((role) => !["panel", "background", "line", "accent", "hatch"].includes(role)).length;
}

/** The longest unbroken stretch of a role on a lane, in pixels of the window: from the first one to after the last. */
export async function stretch(page, name, role) {
    const { left, roles } = await lane(page, name);
    let best = { from: 0, to: 0 };
    for (let from = 0; from < roles.length; from++) {
        let to = from;
        while (roles[to] === role) to++;
        if (to - from > best.to - best.from) best = { from, to };
        from = Math.max(from, to);
    }
    return { from: left + best.from, to: left + best.to };
}

/** Space beyond the log's ends, on the overview strip as on the timeline, as a share of its length. */
const MARGIN = 0.02;

/** The part of the log that is in view, as shares of its length: the frame in the overview strip. */
export async function shown(page) {
    const frame = await page.evaluate(() => {
        const canvas = document.getElementById("overview");
        const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
        const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, 1);
        const near = (at) =>
            [1, 3, 5].every((digit, part) => Math.abs(Number.parseInt(accent.slice(digit, digit + 2), 16) - data[at * 4 + part]) < 8);
        const framed = Array.from({ length: width }, (_, at) => at).filter(near);
        return { from: framed[0] / width, to: (framed.at(-1) + 1) / width };
    });
    const share = (place) => Math.min(Math.max(place * (1 + 2 * MARGIN) - MARGIN, 0), 1);
    return { from: share(frame.from), to: share(frame.to) };
}

/** Waits until all tables of the drawer show their final rows. */
export function tablesSettled(page) {
    return until(
        () => page.locator("#drawer [aria-busy=true]").count(),
        (busy) => busy === 0,
    );
}

/**
 * Waits until `enough` accepts what `look` returns, and returns that. It waits as long as Playwright's own functions do here: a busy machine
 * is not a fault, and Chromium keeps the connection of a request that the page has ended for up to 5 s, in case the rest comes.
 */
export async function until(look, enough) {
    const end = Date.now() + PATIENCE;
    for (;;) {
        const seen = await look();
        if (enough(seen)) return seen;
        if (Date.now() > end) throw new Error(`waited in vain; last seen: ${JSON.stringify(seen)}`);
        await new Promise((resolve) => setTimeout(resolve, 15));
    }
}

/** The nanoseconds of one CSS pixel: selects 100 of them, reads the length of the range, and clears it. */
export async function scale(page) {
    const { y, left } = await lane(page, "Capability 0");
    await select(page, left + 200, left + 300, y);
    const text = await page.textContent("#announcer");
    await page.mouse.move(640, 5);
    await page.keyboard.press("Escape");
    return readTime(text).ns / 100;
}

/** Selects a range by dragging. Alt: the range's ends are exactly there, whatever begins or ends near. */
export async function select(page, from, to, y) {
    await page.keyboard.down("Alt");
    await page.mouse.move(from, y);
    await page.mouse.down();
    await page.mouse.move((from + to) / 2, y);
    await page.mouse.move(to, y);
    await page.mouse.up();
    await page.keyboard.up("Alt");
    await page.waitForFunction(() => document.getElementById("announcer").textContent.endsWith(" selected"));
}

/** A box of terms: its title, and its fields by name. */
export function described(page, selector) {
    return page.$eval(selector, (box) => ({
        title: box.querySelector("h2, strong").textContent,
        fields: Object.fromEntries([...box.querySelectorAll("dt")].map((term) => [term.textContent, term.nextElementSibling.textContent])),
    }));
}

/** Presses a key that moves the selection, and returns the new selection. */
export async function press(page, key) {
    const before = await page.textContent("#details");
    await page.keyboard.press(key);
    await page.waitForFunction((before) => document.getElementById("details").textContent !== before, before);
    return described(page, "#details");
}

/** Presses a key many times, each time after the last press has had its effect; returns the selection after each. */
export function walk(page, code, times) {
    return page.evaluate(
        async ({ code, times }) => {
            const details = document.getElementById("details");
            const steps = [];
            for (let step = 0; step < times; step++) {
                const changed = new Promise((resolve, reject) => {
                    const tooLate = setTimeout(() => reject(new Error(`step ${step} of ${times} came to nothing`)), 5000);
                    const observer = new MutationObserver(() => {
                        observer.disconnect();
                        clearTimeout(tooLate);
                        resolve();
                    });
                    observer.observe(details, { childList: true, subtree: true });
                });
                document.body.dispatchEvent(new KeyboardEvent("keydown", { code, bubbles: true, cancelable: true }));
                await changed;
                const terms = [...details.querySelectorAll("dt")];
                const fields = Object.fromEntries(terms.map((term) => [term.textContent, term.nextElementSibling.textContent]));
                steps.push({ title: details.querySelector("h2").textContent, fields });
            }
            return steps;
        },
        { code, times },
    );
}

/** The names and notes of the tracks. They are found and read in one step: between two steps, rows may disappear. */
export async function tracks(page, within = "#headers") {
    return page.evaluate((within) => {
        const rows = [...document.querySelectorAll(`${within} .track`)];
        return rows.map((row) => [...row.querySelectorAll(".name, .note")].map((part) => part.textContent));
    }, within);
}

/** The places of dashed lines on the timeline, in CSS pixels. */
export const markerLines = (page) =>
    page.evaluate(() => {
        const muted = getComputedStyle(document.documentElement).getPropertyValue("--muted").trim();
        const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(muted.slice(at, at + 2), 16));
        const canvas = document.getElementById("canvas");
        const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const seen = new Array(width).fill(0);
        for (let pixel = 0; pixel < width * height; pixel++) {
            const [r, g, b] = data.subarray(4 * pixel, 4 * pixel + 3);
            if (r === red && g === green && b === blue) seen[pixel % width] += 1;
        }
        const { left } = canvas.getBoundingClientRect();
        return seen.flatMap((count, x) => (count > height / 3 ? [left + (x * canvas.clientWidth) / canvas.width] : []));
    });

/**
 * Where the timeline has the colour of evidence, in CSS pixels of the window; null where it has none.
 * @returns {Promise<{ left: number, right: number, top: number, bottom: number } | null>}
 */
export function evidence(page) {
    return page.evaluate(() => {
        const colour = getComputedStyle(document.documentElement).getPropertyValue("--evidence").trim();
        const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
        const canvas = document.getElementById("canvas");
        const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const seen = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
        for (let pixel = 0; pixel < width * height; pixel++) {
            const [r, g, b] = data.subarray(4 * pixel, 4 * pixel + 3);
            if (r !== red || g !== green || b !== blue) continue;
            const [x, y] = [pixel % width, Math.floor(pixel / width)];
            seen.left = Math.min(seen.left, x);
            seen.right = Math.max(seen.right, x + 1);
            seen.top = Math.min(seen.top, y);
            seen.bottom = Math.max(seen.bottom, y + 1);
        }
        if (seen.right < 0) return null;
        const box = canvas.getBoundingClientRect();
        const ratio = canvas.clientWidth / canvas.width;
        return {
            left: box.left + seen.left * ratio,
            right: box.left + seen.right * ratio,
            top: box.top + seen.top * ratio,
            bottom: box.top + seen.bottom * ratio,
        };
    });
}
