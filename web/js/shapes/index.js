// What the page knows of the shapes that tracks have: how high a row is, whether its ground tells where anything is known, and
// how its part of a picture is painted, unless the worker has made an image of it. No more is known of a track than its shape.

import { paintLevel } from "../paint/level.js";
import { mostOfBands, paintBands, pixelsOfBands, scaleOfBands } from "./bands.js";
import { mostOfLine, paintLine, pixelsOfLine } from "./line.js";
import { paintNames } from "./names.js";
import { paintPoints } from "./points.js";

/** @typedef {import("../protocol.js").Track} Track */
/** @typedef {import("../protocol.js").Strip} Strip */
/** @typedef {import("../theme.js").Theme} Theme */
/**
 * Where a whole strip goes, and from where to where it can be seen.
 * @typedef {{ x: number, y: number, width: number, height: number, left: number, right: number }} Area
 */

/**
 * A track as it is drawn: of bands as its reader has chosen, with the one that is under the pointer; of names with their modules' colours.
 * @typedef {Track & { bands?: import("../bands.js").BandsChoice & { lifted: number | null }, modules?: import("../paint/named.js").NamedRoles }} Drawn
 */

/**
 * @typedef {object} Shape
 * @property {number} height of a row, in CSS pixels
 * @property {boolean} ground whether what is not known of it is hatched, and the rest has a ground
 * @property {boolean} stepped whether the keys for the next and the previous one go from one to the other on it
 * @property {(context: CanvasRenderingContext2D, strip: Strip, area: Area, track: Drawn, theme: Theme) => void} [paint]
 * @property {(strip: Strip) => number} [pixels] of one that has values: how many pixels these are of
 * @property {(strip: Strip, first: number, end: number, track: Drawn) => number} [most] the most that is drawn from one pixel to before
 *     another
 * @property {(track: Drawn, ofView: boolean, most: (ofView: boolean) => number) => NonNullable<Track["scale"]>} [scale] what the row's
 *     height stands for, of a track that has a scale: the most in view, or in the log
 */

/** @type {Record<Track["shape"], Shape>} */
export const SHAPES = {
    states: { height: 30, ground: true, stepped: true },
    level: {
        height: 36,
        ground: false,
        stepped: false,
        paint: (context, strip, area, { states }, theme) => {
            paintLevel(context, strip, area, theme.css(states[0].role), theme.css("panel"));
        },
    },
    line: {
        height: 30,
        ground: true,
        stepped: true,
        paint: paintLine,
        pixels: pixelsOfLine,
        most: mostOfLine,
        scale: ({ scale = { most: 0, unit: "count" } }, ofView, most) => (ofView ? { ...scale, most: Math.round(most(true)) } : scale),
    },
    bands: {
        height: 206,
        ground: true,
        stepped: true,
        paint: paintBands,
        pixels: pixelsOfBands,
        most: mostOfBands,
        scale: scaleOfBands,
    },
    names: { height: 30, ground: true, stepped: true, paint: paintNames },
    points: { height: 24, ground: true, stepped: true, paint: paintPoints },
};
