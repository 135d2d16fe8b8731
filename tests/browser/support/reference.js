// Reference pictures: how a picture of the page is taken, kept, and compared with the one that is kept.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

/** Where the pictures are kept, and where those go that differ. */
export const KEPT = fileURLToPath(new URL("../reference-pictures/", import.meta.url));
const FAILED = fileURLToPath(new URL("../../../target/looks/", import.meta.url));

/** Whether the kept pictures are to be replaced (`cargo xtask looks`). */
export const RENEWS = process.env.LOOKS === "renew";

/** What a pixel's colour may differ by: 1 is from black to white. Two neighbouring levels of a kept colour differ by less. */
const THRESHOLD = 0.05;

/**
 * In no square of this many pixels may more than this share differ, those at edges that are only smoothed in another way not counted. A share
 * of the whole picture would find large changes only: a button is a hundredth of the page.
 */
export const SQUARE = 32;
export const TOLERANCE = 0.04;

/** Colours are kept in steps of this, which halves the files. */
const STEP = 4;

/**
 * A picture in half the size, each pixel the mean of four: it is small, and depends little on how edges are smoothed.
 * @param {Buffer} png
 */
export function halved(png) {
    const large = PNG.sync.read(png);
    const small = new PNG({ width: large.width >> 1, height: large.height >> 1 });
    for (let y = 0; y < small.height; y++) {
        for (let x = 0; x < small.width; x++) {
            for (let part = 0; part < 3; part++) {
                const at = (dx, dy) => large.data[((2 * y + dy) * large.width + 2 * x + dx) * 4 + part];
                const mean = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4;
                small.data[(y * small.width + x) * 4 + part] = Math.min(Math.round(mean / STEP) * STEP, 255);
            }
            small.data[(y * small.width + x) * 4 + 3] = 255;
        }
    }
    return small;
}

/**
 * How much two pictures differ.
 * @param {PNG} one
 * @param {PNG} other
 * @returns {{ share: number, diff: PNG | null }} `share` of the pixels of the square where most of them differ; 1 for other sizes
 */
export function difference(one, other) {
    const { width, height } = one;
    if (other.width !== width || other.height !== height) return { share: 1, diff: null };
    const diff = new PNG({ width, height });
    const most = pixelmatch(one.data, other.data, diff.data, width, height, { threshold: THRESHOLD, windowSize: SQUARE });
    return { share: most / SQUARE ** 2, diff };
}

/** The compression that suits pictures where most neighbouring pixels are the same: without filters, with the usual strategy (0) of zlib. */
const COMPRESSION = { colorType: 2, deflateLevel: 9, filterType: 0, deflateStrategy: 0 };

const written = (picture) => PNG.sync.write(picture, COMPRESSION);

/**
 * Compares a picture with the kept one, or keeps it.
 * @param {string} name
 * @param {PNG} picture
 * @returns {string} what is wrong; empty if nothing is
 */
export function compared(name, picture) {
    const kept = `${KEPT}${name}.png`;
    const before = existsSync(kept) ? PNG.sync.read(readFileSync(kept)) : null;
    const { share, diff } = before ? difference(before, picture) : { share: 1, diff: null };
    if (share <= TOLERANCE) return "";
    if (RENEWS) {
        writeFileSync(kept, written(picture));
        return "";
    }
    mkdirSync(FAILED, { recursive: true });
    const actual = `${FAILED}${name}.actual.png`;
    writeFileSync(actual, written(picture));
    if (diff) writeFileSync(`${FAILED}${name}.diff.png`, written(diff));
    const what = before ? `${(share * 100).toFixed(1)} % of a square differ, of at most ${TOLERANCE * 100} %` : "there is no such picture";
    return `${name}: ${what}. Look at ${actual}${diff ? ", .diff.png beside it" : ""}; \`cargo xtask looks\` renews the pictures.`;
}

/** Most pictures that are taken until two are the same. */
const MOST = 30;

/**
 * A picture of the page, once nothing changes any more.
 * @param {import("playwright-core").Page} page
 */
export async function takenOf(page) {
    let last = Buffer.alloc(0);
    for (let taken = 0; taken < MOST; taken++) {
        const now = await page.screenshot({ animations: "disabled", caret: "hide" });
        if (now.equals(last)) return halved(now);
        last = now;
        await page.waitForTimeout(150);
    }
    throw new Error("the page does not stop changing");
}
