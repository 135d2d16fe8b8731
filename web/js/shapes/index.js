// The shapes of tracks: the height of a row, whether unknown time is hatched, and how to paint its part of a picture, unless the worker has
// made an image of it. The page knows nothing about a track but its shape.

import { paintLevel } from "../paint/level.js";
import { mostOfBands, paintBands, pixelsOfBands, scaleOfBands } from "./bands.js";
import { mostOfLine, paintLine, pixelsOfLine, scaleOfLine } from "./line.js";
import { paintNames } from "./names.js";
import { paintPoints } from "./points.js";

/** @typedef {import("../protocol.js").Track} Track */
/** @typedef {import("../protocol.js").Strip} Strip */
/** @typedef {import("../theme.js").Theme} Theme */
/**
 * The place of a whole strip, and its visible part.
 * @typedef {{ x: number, y: number, width: number, height: number, left: number, right: number }} Area
 */

/**
 * A track to draw: with the choice of bands and the band under the pointer, or with the colours of modules.
 * @typedef {Track & { bands?: import("../bands.js").BandsChoice & { lifted: number | null }, modules?: import("../paint/named.js").NamedRoles }} Drawn
 */

/**
 * @typedef {object} Shape
 * @property {number} height of a row, in CSS pixels
 * @property {boolean} ground whether unknown time is hatched, and known time has a background
 * @property {boolean} stepped whether the keys for next and previous step along it
 * @property {(context: CanvasRenderingContext2D, strip: Strip, area: Area, track: Drawn, theme: Theme) => void} [paint]
 * @property {(strip: Strip) => number} [pixels] for shapes with values: the number of pixels in the strip
 * @property {(strip: Strip, first: number, end: number, track: Drawn) => number} [most] the largest value drawn from pixel `first` to
 *     before `end`; NaN if none is known
 * @property {(track: Drawn, scaling: import("../scaling.js").Scaling, most: Most) => NonNullable<Track["scale"]>} [scale] the value at the
 *     row's top, for a track with a scale
 */

/**
 * The largest value drawn; NaN if none is known.
 * @typedef {object} Most
 * @property {() => number} ofView in view
 * @property {() => number} ofLog in the whole log
 * @property {(unit: import("../protocol.js").Unit) => number} ofUnit of all lines in view with a unit, in the whole log
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
        scale: scaleOfLine,
    },
    bands: {
        height: 236,
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
