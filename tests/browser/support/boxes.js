// Text without a font: every letter is a box of the same size. Fonts differ between machines, in the look of their letters and in their
// widths, which decide where lines break and what has room. A picture of a page with this font is the same everywhere: it still shows where
// texts are, how long they are, how large, and their colours.

/** The font's name in styles. */
const NAME = "Boxes";

/** Of an em: the grid of the font. */
const EM = 1000;
const ASCENT = 900;
const DESCENT = 300;

/** How far a letter takes the line, as in usual fonts without serifs. */
const ADVANCE = 540;

/** The box of a letter. */
const BOX = { left: 60, right: 480, top: 540 };

/** The glyphs: what stands for letters that a font lacks, a letter, a space. */
const LETTER = 1;
const SPACE = 2;
const GLYPHS = 3;

const SPACES = [0x20, 0xa0, 0x202f];
const LAST = 0x10ffff;

const u16 = (...numbers) => numbers.flatMap((number) => [(number >> 8) & 255, number & 255]);
const u32 = (...numbers) => numbers.flatMap((number) => u16(number >>> 16, number & 0xffff));
const zeros = (length) => new Array(length).fill(0);

/** The outline of a box: four corners. */
function outline() {
    const { left, right, top } = BOX;
    const ON_CURVE = 1;
    const [xs, ys] = [
        [left, 0, right - left, 0],
        [0, top, 0, -top],
    ];
    return [...u16(1, left, 0, right, top), ...u16(3), ...u16(0), ...[0, 1, 2, 3].map(() => ON_CURVE), ...u16(...xs), ...u16(...ys)];
}

/** Which glyph each character has: many have the same one, which is format 13. */
function characters() {
    const ends = SPACES.map((space) => space - 1);
    const groups = [
        ...SPACES.map((space) => [space, space, SPACE]),
        ...[...ends, LAST].map((end, at) => [(SPACES[at - 1] ?? 0) + 1, end, LETTER]),
    ];
    groups.sort(([a], [b]) => a - b);
    const length = 16 + 12 * groups.length;
    return [
        ...u16(0, 1),
        ...u16(3, 10),
        ...u32(12),
        ...u16(13, 0),
        ...u32(length, 0, groups.length),
        ...groups.flatMap((group) => u32(...group)),
    ];
}

/** The tables that a browser wants, by their names (https://learn.microsoft.com/typography/opentype/spec/otff). */
function tables() {
    const letter = outline();
    const { left, right, top } = BOX;
    return {
        "OS/2": [
            ...u16(4, ADVANCE, 400, 5, 0),
            ...u16(650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0),
            ...zeros(10),
            ...u32(1, 0, 0, 0),
            ...zeros(4),
            ...u16(0x40, 0x20, 0xffff),
            ...u16(ASCENT, -DESCENT, 0, ASCENT, DESCENT),
            ...u32(1, 0),
            ...u16(top, top, 0, 0x20, 1),
        ],
        cmap: characters(),
        glyf: [...letter, ...letter],
        head: [...u16(1, 0, 1, 0), ...u32(0, 0x5f0f3cf5), ...u16(3, EM), ...zeros(16), ...u16(left, 0, right, top), ...u16(0, 8, 2, 1, 0)],
        hhea: [...u16(1, 0, ASCENT, -DESCENT, 0, ADVANCE, left, ADVANCE - right, right, 1, 0, 0), ...zeros(8), ...u16(0, GLYPHS)],
        hmtx: u16(...[left, left, 0].flatMap((side) => [ADVANCE, side])),
        loca: u32(0, letter.length, 2 * letter.length, 2 * letter.length),
        maxp: [...u16(1, 0, GLYPHS, 4, 1, 0, 0, 2), ...zeros(16)],
        name: names(),
        post: [...u32(0x30000, 0), ...u16(-100, 50), ...u32(1, 0, 0, 0, 0)],
    };
}

function names() {
    const text = u16(...[...NAME].map((letter) => letter.charCodeAt(0)));
    const FAMILY_STYLE_FULL_POSTSCRIPT = [1, 2, 4, 6];
    const records = FAMILY_STYLE_FULL_POSTSCRIPT.flatMap((id) => u16(3, 1, 0x409, id, text.length, 0));
    return [...u16(0, 4, 6 + records.length), ...records, ...text];
}

/** The font as a TrueType file. */
export function boxFont() {
    const all = Object.entries(tables()).map(([tag, bytes]) => [tag, [...bytes, ...zeros(-bytes.length & 3)], bytes.length]);
    let place = 12 + 16 * all.length;
    const power = 2 ** Math.floor(Math.log2(all.length));
    const file = [...u32(0x10000), ...u16(all.length, power * 16, Math.log2(power), (all.length - power) * 16)];
    for (const [tag, padded, length] of all) {
        file.push(...Buffer.from(tag), ...u32(sum(padded), place, length));
        place += padded.length;
    }
    for (const [, padded] of all) for (const byte of padded) file.push(byte);
    return Buffer.from(file);
}

function sum(bytes) {
    let sum = 0;
    for (let at = 0; at < bytes.length; at += 4) {
        sum = (sum + ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3])) >>> 0;
    }
    return sum;
}

/**
 * Lets canvases write with it, whatever font they ask for. Runs in the page, before its own scripts.
 * @param {{ name: string, base64: string }} font
 */
function useOnCanvases({ name, base64 }) {
    const face = new FontFace(
        name,
        Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)),
        { weight: "1 1000" },
    );
    document.fonts.add(face);
    void face.load();
    const own = CanvasRenderingContext2D.prototype;
    const { get, set } = Object.getOwnPropertyDescriptor(own, "font");
    Object.defineProperty(own, "font", {
        get,
        set(font) {
            set.call(this, font.replace(/(?<=px).*$/s, ` ${name}`));
        },
    });
}

/**
 * Lets all else of the page use it.
 * @param {string} css further rules
 */
function useInStyles(css) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    const { shadowRoot } = document.querySelector("ghc-eventlog-viewer");
    for (const root of [document, shadowRoot]) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

/** For each page of a context. @param {import("playwright-core").BrowserContext} context */
export async function prepareBoxes(context) {
    await context.addInitScript(useOnCanvases, { name: NAME, base64: boxFont().toString("base64") });
}

/**
 * When the page is loaded.
 * @param {import("playwright-core").Page} page
 * @param {string} css further rules
 */
export async function useBoxes(page, css) {
    await page.evaluate(useInStyles, `*, ::before, ::after { font-family: ${NAME} !important; font-synthesis: none !important; }\n${css}`);
    await page.evaluate((name) => document.fonts.load(`12px ${name}`), NAME);
}
