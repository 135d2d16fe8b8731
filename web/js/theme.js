// Colours: reads those of the style sheet, and mixes them for the canvas.

/** @typedef {import("./paint/colour.js").Rgb} Rgb */

/**
 * @typedef {object} Theme
 * @property {(role: string) => string} css the colour of a role
 * @property {(role: string) => Rgb} rgb
 * @property {(role: string) => string} textOn a colour for text on the colour of a role
 */

/**
 * The colours in use now.
 * @param {Element} host
 * @returns {Theme}
 */
export function readTheme(host) {
    const style = getComputedStyle(host);
    /** @type {Map<string, Rgb>} */
    const known = new Map();
    /** @param {string} role */
    const rgb = (role) => {
        const colour = known.get(role) ?? parse(style.getPropertyValue(`--${role}`).trim());
        known.set(role, colour);
        return colour;
    };
    return {
        rgb,
        css: (role) => `rgb(${rgb(role).join(" ")})`,
        textOn: (role) => textOnRgb(rgb(role)),
    };
}

/**
 * A colour for text on another colour: black or white, whichever has more contrast.
 * @param {Rgb} rgb
 */
export function textOnRgb(rgb) {
    return luminance(rgb) > 0.18 ? "#000" : "#fff";
}

/**
 * @param {string} hex
 * @returns {Rgb}
 */
export function parse(hex) {
    const number = Number.parseInt(hex.slice(1), 16);
    return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

/**
 * Relative luminance, as WCAG defines it: above 0.18 black has more contrast than white.
 * @param {Rgb} rgb
 */
export function luminance(rgb) {
    const [r, g, b] = rgb.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
