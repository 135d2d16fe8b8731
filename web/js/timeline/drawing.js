// Draws the timeline: the axis, and below it the rows in view.

import { SHAPES } from "../shapes/index.js";
import { apart, paintGrid, paintLabel, paintTimes } from "../paint/axis.js";
import { paintHatch } from "../paint/hatch.js";
import { paintScale } from "../paint/scale.js";
import { paintSpans } from "../paint/spans.js";
import { paintVeil } from "../paint/veil.js";
import { AXIS, drawnIn } from "../rows.js";
import { OVERLAYS } from "../overlays/index.js";
import { drawOverlays, marksOf } from "../overlays/overlay.js";
import { valueText } from "../format.js";

/** @typedef {import("./scene.js").Row} Row */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("../protocol.js").Track} Track */
/** @typedef {import("../theme.js").Theme} Theme */
/** @typedef {import("../paint/spans.js").SpanStyle} SpanStyle */
/** @typedef {ReturnType<typeof apart>} Labels the texts on the axis besides its times, with their places */

/** @param {Scene} scene */
export function draw(scene) {
    const { context, state, times, scale, rows, height } = scene;
    const { left, width, right } = scale;
    const labels = apart(context, marksOf(OVERLAYS, scene), scale);
    context.fillStyle = state.theme.css("background");
    context.fillRect(0, 0, right, height);
    context.save();
    context.beginPath();
    context.rect(left, 0, width, height);
    context.clip();
    const [pinned, others] = [true, false].map((pinned) => rows.filter((row) => row.pinned === pinned));
    for (const row of others) drawGround(row, scene);
    paintGrid(context, scale.view, times.zero, { left, width, top: 0, height }, state.theme.css("line"));
    for (const row of others) drawTrack(row, scene);
    drawStuck(scene);
    drawPinned(pinned, scene);
    drawAhead(scene);
    drawAxis(scene, labels);
    drawOverlays(OVERLAYS, scene);
    drawLabels(scene, labels);
    context.restore();
}

/**
 * A lane has a background where the log says what it does: empty time there is idle. Elsewhere it is hatched.
 * @param {Row} row
 * @param {Scene} scene
 */
function drawGround(row, { context, state, log: { log, finished }, ownScale: scale, top }) {
    const { track } = row;
    const { theme } = state;
    if (!track || !log?.status.extent) return;
    const { y, height } = drawnIn(row);
    /** @param {[number, number]} times */
    const box = ([from, to]) => {
        const [x1, x2] = [Math.max(scale.x(from), scale.left), Math.min(scale.x(to), scale.right)];
        return { x: x1, y: y - top, width: Math.max(x2 - x1, 0), height };
    };
    const { extent } = log.status;
    const known = knownTimes(track, extent);
    // While the log is read, more may become known, so nothing is hatched yet. Only unknown time is filled with hatching, since that takes
    // longer than a plain colour.
    if (finished) {
        const [from, to] = known ?? [extent[1], extent[1]];
        paintHatch(context, theme.css("hatch"), box([extent[0], from]));
        paintHatch(context, theme.css("hatch"), box([to, extent[1]]));
    }
    if (!known) return;
    const ground = box(known);
    context.fillStyle = theme.css("panel");
    context.fillRect(ground.x, ground.y, ground.width, ground.height);
}

/**
 * The time in which the log says what a track does; null if it never does.
 * @param {import("../protocol.js").Track} track
 * @param {[number, number]} extent of the log
 * @returns {[number, number] | null}
 */
function knownTimes({ shape, states, known }, extent) {
    // A level draws its background itself, where it is known.
    if (!SHAPES[shape].ground || states.some(({ lacks }) => lacks)) return null;
    return known ?? extent;
}

/**
 * Whether a part of a track's row is hatched, since the log does not say what it did then.
 * @param {Track} track
 * @param {[number, number]} extent of the log
 */
export function isHatched(track, extent) {
    if (!SHAPES[track.shape].ground) return false;
    const known = knownTimes(track, extent);
    return !known || known[0] > extent[0] || known[1] < extent[1];
}

/**
 * @param {Row} row
 * @param {Scene} scene
 */
function drawTrack(row, { context, state, log, picture, ownScale: scale, together, top, hovered }) {
    const { track } = row;
    if (!track) return;
    const { theme, scaling } = state;
    const { y, height } = drawnIn(row);
    const box = { left: scale.left, width: scale.width, y: y - top, height };
    const lifted = hovered?.log === row.log && hovered.track === track.id ? (hovered.part ?? null) : null;
    const shown = drawnAs(track, scaling, log, { picture, view: scale.view, lifted, rows: together });
    picture.paint(context, shown, scale.view, box, theme);
    if (shown.scale) paintScale(context, box, endsOf(shown.scale), { text: theme.css("muted"), ground: theme.css("panel") });
    const strip = picture.window?.tracks.get(track.id);
    if (!strip) return;
    const lane = { left: scale.left, right: scale.right, y: box.y, height };
    if (strip.exact) paintSpans(context, strip, scale.x, lane, styleOf(track, theme));
    for (let at = 0; at < strip.hatched.length; at += 2) {
        const [x, to] = [Math.max(scale.x(strip.hatched[at]), lane.left), Math.min(scale.x(strip.hatched[at + 1]), lane.right)];
        paintHatch(context, theme.css("background"), { x, y: lane.y, width: to - x, height });
    }
}

/** The colours of tracks' spans, which are the same in each frame. @type {WeakMap<Track, { theme: Theme, style: SpanStyle }>} */
const STYLES = new WeakMap();

/**
 * @param {Track} track
 * @param {Theme} theme
 */
function styleOf(track, theme) {
    const known = STYLES.get(track);
    if (known?.theme === theme) return known.style;
    const roles = track.states.map(({ role }) => role);
    const style = { fills: roles.map(theme.css), texts: roles.map(theme.textOn), gap: theme.css("background") };
    STYLES.set(track, { theme, style });
    return style;
}

/**
 * The values at the top and bottom of a row, as texts: the largest one, and 0 or the smallest one below it. Where nothing is known, there is
 * nothing to say; where all is 0, one text is enough.
 * @param {NonNullable<Track["scale"]>} scale
 * @returns {{ top: string | null, bottom: string | null }}
 */
export function endsOf({ unit, most, below = 0 }) {
    if (Number.isNaN(most)) return { top: null, bottom: null };
    const text = (/** @type {number} */ value) => valueText(unit, value, 0);
    if (below > 0) return { top: text(most), bottom: `−${text(below)}` };
    return most > 0 ? { top: text(most), bottom: "0" } : { top: null, bottom: text(0) };
}

/**
 * A track to draw: with the scale of its row, the chosen bands, and the colours of modules.
 * @param {import("../protocol.js").Track} track
 * @param {import("../scaling.js").Scaling} scaling
 * @param {import("../state.js").LogState} log the track's
 * @param {object} now
 * @param {import("../picture.js").Picture} now.picture
 * @param {import("../viewport.js").View} now.view
 * @param {number | null} now.lifted the band under the pointer
 * @param {Row[]} now.rows those whose lines of one unit have one scale
 * @returns {import("../shapes/index.js").Drawn}
 */
export function drawnAs(track, scaling, { bands, modules, log }, { picture, view, lifted, rows }) {
    const { paint, scale } = SHAPES[track.shape];
    // Most rows are painted by the worker and depend on no choice.
    if (!paint) return track;
    const shown = { ...track, bands: { ...bands, lifted }, modules };
    if (!shown.scale || !scale) return shown;
    const extent = log?.status.extent;
    const whole = extent ? { from: extent[0], to: extent[1] } : view;
    const most = {
        ofView: () => picture.most(shown, view),
        ofLog: () => picture.most(shown, whole),
        ofUnit: (/** @type {import("../protocol.js").Unit} */ unit) => mostOfUnit(rows, unit),
    };
    return { ...shown, scale: scale(shown, scaling, most) };
}

/**
 * The largest value of all lines of some rows that have a unit.
 * @param {Row[]} rows
 * @param {import("../protocol.js").Unit} unit
 */
function mostOfUnit(rows, unit) {
    const scales = rows.flatMap(({ track }) => (track?.shape === "line" && track.scale?.unit === unit ? [track.scale] : []));
    return Math.max(0, ...scales.map(({ most, alike }) => alike ?? most));
}

/**
 * A heading that stays in view covers the rows below it.
 * @param {Scene} scene
 */
function drawStuck(scene) {
    const { context, state, scale, stuck, top } = scene;
    if (!stuck) return;
    context.fillStyle = state.theme.css("background");
    context.fillRect(scale.left, stuck.y - top, scale.width, stuck.height);
    context.fillStyle = state.theme.css("line");
    context.fillRect(scale.left, stuck.y - top + stuck.height - 1, scale.width, 1);
    drawGround(stuck, scene);
    drawTrack(stuck, scene);
}

/**
 * Pinned rows cover those that scroll under them.
 * @param {Row[]} rows
 * @param {Scene} scene
 */
function drawPinned(rows, scene) {
    const { context, state, times, scale, top } = scene;
    const [first, last] = [rows[0], rows[rows.length - 1]];
    if (!first) return;
    const area = { left: scale.left, width: scale.width, top: first.y - top, height: last.y + last.height - first.y };
    context.fillStyle = state.theme.css("background");
    context.fillRect(area.left, area.top, area.width, area.height);
    for (const row of rows) drawGround(row, scene);
    paintGrid(context, scale.view, times.zero, area, state.theme.css("line"));
    for (const row of rows) drawTrack(row, scene);
    context.fillStyle = state.theme.css("muted");
    context.fillRect(area.left, area.top + area.height - 1, area.width, 1);
}

/**
 * Makes the time paler that has not been read yet.
 * @param {Scene} scene
 */
function drawAhead({ context, state, log: { log }, ownScale: scale, height }) {
    const { extent, ahead } = log?.status ?? {};
    if (!extent || ahead === undefined) return;
    const from = Math.max(scale.x(extent[1]), scale.left);
    const to = Math.min(scale.x(ahead), scale.right);
    paintVeil(context, state.theme.rgb("background"), { from, to, y: 0, height });
}

/**
 * The axis covers rows that scroll under it.
 * @param {Scene} scene
 * @param {Labels} labels its other texts
 */
function drawAxis({ context, state, times, scale }, labels) {
    const { theme } = state;
    const { left, width, view } = scale;
    context.fillStyle = theme.css("background");
    context.fillRect(left, 0, width, AXIS);
    paintGrid(context, view, times.zero, { left, width, top: AXIS - 6, height: 6 }, theme.css("line"));
    const colours = { text: theme.css("muted"), strong: theme.css("text") };
    paintTimes(context, view, times, { left, width, height: AXIS }, colours, labels);
    context.fillStyle = theme.css("line");
    context.fillRect(left, AXIS - 1, width, 1);
}

/**
 * @param {Scene} scene
 * @param {Labels} labels
 */
function drawLabels({ context, state }, labels) {
    const [ground, text] = [state.theme.css("background"), state.theme.css("accent")];
    for (const label of labels) paintLabel(context, label, { height: AXIS, ground, text });
}
