// The timeline: one canvas that shows the visible rows of the tracks, and asks for what it needs to show them.

import { SHAPES } from "./shapes/index.js";
import { apart, paintGrid, paintLabel, paintTimes } from "./paint/axis.js";
import { paintHatch } from "./paint/hatch.js";
import { paintSpans } from "./paint/spans.js";
import { paintVeil } from "./paint/veil.js";
import { AXIS, HEADING, drawnIn, layOut, pagesBetween, rowAt, rowOfTrack, rowsBetween, stuckHeading } from "./rows.js";
import { HATCHED } from "./paint/strip.js";
import { Scrolled } from "./scrolled.js";
import { Tracks } from "./tracks.js";
import { rememberFolds, rememberedFolds } from "./folds.js";
import { requestFrame } from "./frame.js";
import { followFolds, showHeaders } from "./headers.js";
import { duration, time } from "./format.js";
import { extentOf } from "./viewport.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./headers.js").Shown} Row */
/** @typedef {import("./protocol.js").Track} Track */
/** @typedef {import("./protocol.js").Painted} Painted */
/** @typedef {import("./viewport.js").View} View */

/** How much more than the view is asked for on either side, as a share of it, so that panning shows what is there. */
const BESIDE = 0.5;

/** The coarse picture of the whole has the rows that are this near to the view, too, in CSS pixels: they can be scrolled to. */
const AROUND = 1500;

/** How long scrolling rests before a coarse picture is asked for of the rows that have come in view, in ms. */
const REST = 150;

const FONT = "12px system-ui, sans-serif";

/**
 * What the timeline asks for.
 * @typedef {object} Asks
 * @property {(from: number, to: number, width: number, tracks: Painted[]) => void} window
 * @property {(tracks: Painted[]) => void} whole
 * @property {import("./tracks.js").Ask} rows
 */

/** Where on the canvas which time is, and back. */
class Scale {
    /**
     * @param {View} view
     * @param {number} left
     * @param {number} width
     */
    constructor(view, left, width) {
        this.view = view;
        this.left = left;
        this.width = width;
    }

    /** @param {number} time */
    x = (time) => this.left + ((time - this.view.from) / (this.view.to - this.view.from)) * this.width;

    /** @param {number} x */
    time = (x) => this.view.from + ((x - this.left) / this.width) * (this.view.to - this.view.from);
}

export class Timeline {
    #box;
    #canvas;
    #context;
    #headers;
    #sizer;
    #store;
    #picture;
    #ask;
    #tracks;
    #scrolled = new Scrolled();
    /** @type {import("./rows.js").Layout} */
    #layout = { runs: [], height: AXIS, grown: 0 };
    /** What that was made of. @type {unknown[]} */
    #laidOut = [];
    /** Whether a group is folded, where its user has said so. @type {Record<string, boolean>} */
    #folds = {};
    #remembers;
    /** The log that the tracks are of. */
    #opening = 0;
    /** The tracks of which a coarse picture was asked for. @type {Set<number>} */
    #coarse = new Set();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #resting;
    /** What was last asked for: the same need not be asked for again. */
    #asked = "";
    /** @type {View | null} what was asked for and is not there yet */
    #pending = null;
    /** Counts what the log has grown by since then. */
    #stale = 0;

    /**
     * @param {{ box: HTMLElement, canvas: HTMLCanvasElement, headers: HTMLElement, sizer: HTMLElement }} elements
     * @param {import("./store.js").Store<State>} store
     * @param {import("./picture.js").Picture} picture
     * @param {Asks} ask
     * @param {boolean} remembers what is folded
     */
    constructor({ box, canvas, headers, sizer }, store, picture, ask, remembers) {
        this.#box = box;
        this.#canvas = canvas;
        this.#context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        this.#headers = headers;
        this.#sizer = sizer;
        this.#store = store;
        this.#picture = picture;
        this.#ask = ask;
        this.#remembers = remembers;
        if (remembers) this.#folds = rememberedFolds();
        this.repaint = requestFrame(() => this.paint());
        this.#tracks = new Tracks((shown, missing) => this.#askRows(shown, missing), this.repaint);
        this.#warmUp();
        box.addEventListener("scroll", this.repaint);
        followFolds(headers, (key, folded) => this.fold(key, folded));
        new ResizeObserver(this.repaint).observe(box);
        store.follow(() => this.repaint());
    }

    /** With the first stroke on a canvas of some size, the browser sets up what it paints with: 30 to 90 ms of waiting on a
     * busy machine, better before a log comes than in the task that paints its first picture. */
    #warmUp() {
        this.#canvas.width = Math.round(innerWidth * devicePixelRatio);
        this.#canvas.height = Math.round(innerHeight * devicePixelRatio);
        this.#context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
        this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    }

    /** @param {number} pixels */
    scrollBy(pixels) {
        this.#box.scrollBy({ top: pixels });
    }

    /** What was asked for is there. */
    answered() {
        this.#pending = null;
        this.repaint();
    }

    /** The log has more than what was last asked for. */
    outdated() {
        const { log } = this.#store.value;
        this.#stale += 1;
        if (log) this.#layOut(this.#box.clientHeight);
        if (log) this.#askWhole();
        this.repaint();
    }

    /** Height of all rows, in CSS pixels. */
    get height() {
        return this.#layout.height;
    }

    /** The tracks that are known: those in view are among them. */
    get tracks() {
        return [...this.#tracks.all, ...(this.#store.value.log?.groups ?? []).flatMap(({ picture }) => picture ?? [])];
    }

    get layout() {
        return this.#layout;
    }

    /**
     * A track by its place, asked for if it is not known.
     * @param {import("./rows.js").Place} place
     */
    find(place) {
        return this.#tracks.find(place);
    }

    /**
     * Folds a group, or unfolds it.
     * @param {string} key
     * @param {boolean} folded
     */
    fold(key, folded) {
        this.#folds = { ...this.#folds, [key]: folded };
        if (this.#remembers) rememberFolds(this.#folds);
        this.repaint();
    }

    /**
     * Scrolls until a track can be seen, in a group that is unfolded for it. What stands for it in a folded group will do.
     * @param {import("./rows.js").Place & { track: number }} place
     */
    reveal({ group, at, track }) {
        let row = rowOfTrack(this.#layout, { group, at });
        if (row?.kind === "heading" && row.groups[0].picture?.id !== track) {
            this.fold(group, false);
            this.#layOut(this.#box.clientHeight);
            row = rowOfTrack(this.#layout, { group, at });
        }
        if (!row) return;
        const height = this.#box.clientHeight;
        const [above, below] = [row.y - AXIS - HEADING, row.y + row.height - height];
        const { top } = this.#scrolled;
        if (top <= above && top >= below) return;
        this.#scrollTo(top > above ? above : below);
    }

    /** @param {number} top */
    #scrollTo(top) {
        this.#box.scrollTop = this.#scrolled.placeOf(top);
        this.#scrolled.set(this.#box.scrollTop, top);
        this.repaint();
    }

    /** Width of the part that shows time, in CSS pixels. */
    get width() {
        return Math.max(1, this.#box.clientWidth - this.left);
    }

    /** Width of the headers. */
    get left() {
        return this.#headers.offsetWidth;
    }

    get scale() {
        const { view } = this.#store.value;
        return view ? new Scale(view, this.left, this.width) : null;
    }

    /**
     * The track at a point of the window, and the time of the pixel there.
     * @param {number} clientX
     * @param {number} clientY
     * @returns {import("./client.js").Pixel | null}
     */
    pixelAt(clientX, clientY) {
        const { x, y } = this.place(clientX, clientY);
        const row = this.#rowAt(y);
        const { scale } = this;
        if (!row?.track || !scale || x < this.left) return null;
        return { track: row.track.id, from: scale.time(Math.floor(x)), to: scale.time(Math.floor(x) + 1) };
    }

    /**
     * The row whose header is at a point of the window.
     * @param {number} clientX
     * @param {number} clientY
     */
    headerAt(clientX, clientY) {
        const { x, y } = this.place(clientX, clientY);
        const inside = x >= 0 && x < this.left && y < this.#box.clientHeight;
        return inside ? this.#rowAt(y) : null;
    }

    /**
     * The row at a height of the view: a heading that stays in sight covers what is below it.
     * @param {number} y
     */
    #rowAt(y) {
        const { top } = this.#scrolled;
        const stuck = stuckHeading(this.#layout, top);
        if (y < AXIS) return null;
        const row = stuck && y + top < stuck.y + stuck.height ? stuck : rowAt(this.#layout, y + top);
        return row && this.#withTrack(row);
    }

    /**
     * @param {import("./rows.js").Row} row
     * @returns {Row}
     */
    #withTrack(row) {
        const [{ key, picture }] = row.groups;
        const own = row.kind === "tracks" ? this.#tracks.at({ group: key, at: row.at }) : null;
        return { ...row, track: row.kind === "heading" && row.folded ? (picture ?? null) : own };
    }

    /**
     * The time that is shown at a place of the window now.
     * @param {number} clientX
     */
    timeAt(clientX) {
        return this.scale?.time(this.place(clientX, 0).x);
    }

    /**
     * Whether a point of the window is where time is shown.
     * @param {number} clientX
     * @param {number} clientY
     */
    holds(clientX, clientY) {
        const { x, y } = this.place(clientX, clientY);
        return x >= this.left && x < this.left + this.width && y >= 0 && y < this.#box.clientHeight;
    }

    /**
     * A point of the window, from the timeline's corner.
     * @param {number} clientX
     * @param {number} clientY
     */
    place(clientX, clientY) {
        const { left, top } = this.#box.getBoundingClientRect();
        return { x: clientX - left, y: clientY - top };
    }

    /** Paints now: the browser is asked for a frame by `repaint`. */
    paint() {
        const { view, log } = this.#store.value;
        if (!view || !log) return this.#clear();
        const height = this.#box.clientHeight;
        this.#layOut(height);
        this.#scroll();
        const { top, high, offset } = this.#scrolled;
        this.#tracks.show(pagesBetween(this.#layout, top - height, top + 2 * height));
        const visible = this.#rows(top, top + height);
        this.#request(view, visible);
        this.#requestCoarse(visible);
        this.#prepare(height);
        this.#draw(new Scale(view, this.left, this.width), visible, top, height);
        // Last: what was asked of the page's layout after this would have it made at once.
        const { track: current = null, group: within = null } = this.#store.value.span ?? {};
        showHeaders(this.#headers, { layout: this.#layout, rows: visible, top, room: height, high, offset, current, within });
    }

    /**
     * The rows between two heights, with their tracks as far as they are known.
     * @param {number} top
     * @param {number} bottom
     */
    #rows(top, bottom) {
        return rowsBetween(this.#layout, top, bottom).map((row) => this.#withTrack(row));
    }

    /** Follows what the browser has scrolled. */
    #scroll() {
        const { scrollTop } = this.#box;
        const place = this.#scrolled.to(scrollTop);
        if (place !== scrollTop) this.#scrollTo(this.#scrolled.top);
    }

    /** @type {import("./tracks.js").Ask} */
    async #askRows(shown, missing) {
        const { opening } = this.#store.value;
        const pages = await this.#ask.rows(shown, missing);
        return opening === this.#store.value.opening ? pages : null;
    }

    /** Nothing is left of a log that was shown before. A canvas of the right size is there already when the first picture
     * comes. */
    #clear() {
        if (this.#box.clientWidth > 0) this.#prepare(this.#box.clientHeight);
        this.#context.setTransform(1, 0, 0, 1, 0, 0);
        this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
        this.#laidOut = [];
        this.#layout = { runs: [], height: AXIS, grown: 0 };
        this.#sizer.style.height = "";
        this.#headers.replaceChildren();
        this.#tracks.forget();
        this.#coarse.clear();
        this.#asked = "";
        this.#pending = null;
    }

    /**
     * Finds where the rows are, if anything has changed that they depend on.
     * @param {number} room the height that there is for them
     */
    #layOut(room) {
        const { log, opening, finished } = this.#store.value;
        if (!log) return;
        if (this.#opening !== opening) this.#tracks.forget();
        this.#opening = opening;
        this.#tracks.take(log);
        const on = [log.groups, finished, this.#folds, room];
        if (this.#laidOut.length > 0 && on.every((value, at) => value === this.#laidOut[at])) return;
        this.#laidOut = on;
        this.#layout = layOut(log.groups, ({ key, open }) => this.#folds[key] ?? !open, finished, room);
        this.#scrolled.resize(this.#layout.height, room);
        this.#sizer.style.height = `${this.#scrolled.high}px`;
    }

    /**
     * What is to be painted of the tracks of some rows, in the colours that they have now; each once.
     * @param {Row[]} rows
     * @returns {Painted[]}
     */
    #painted(rows) {
        const { filling } = this.#store.value.theme;
        const painted = new Map();
        for (const row of rows) {
            const { track } = row;
            if (!track || painted.has(track.id)) continue;
            painted.set(track.id, {
                id: track.id,
                colours: track.shape === "states" ? track.states.map(({ role }) => filling(role)) : [],
                hatched: track.states.findIndex(({ role }) => role === HATCHED),
                height: Math.round(drawnIn(row).height * devicePixelRatio),
            });
        }
        return [...painted.values()];
    }

    /** Asks for a coarse picture of the whole log: of the rows in view, those around them, and the track for all of them. */
    #askWhole() {
        clearTimeout(this.#resting);
        const { log } = this.#store.value;
        const { top } = this.#scrolled;
        const rows = this.#rows(top - AROUND, top + this.#box.clientHeight + AROUND);
        /** @type {Painted[]} */
        const whole = log?.whole ? [{ id: log.whole.id, colours: [], hatched: -1, height: 0 }] : [];
        const painted = [...whole, ...this.#painted(rows).filter(({ id }) => id !== log?.whole?.id)];
        this.#coarse = new Set(painted.map(({ id }) => id));
        this.#ask.whole(painted);
    }

    /**
     * Asks for such a picture if rows have come in view that the last one does not have.
     * @param {Row[]} visible
     */
    #requestCoarse(visible) {
        if (!visible.some(({ track }) => track && !this.#coarse.has(track.id))) return;
        clearTimeout(this.#resting);
        this.#resting = setTimeout(() => this.#store.value.log && this.#askWhole(), REST);
    }

    /**
     * Asks for the view's surroundings, unless the picture has them at this scale.
     * @param {View} view
     * @param {Row[]} visible
     */
    #request(view, visible) {
        const tracks = this.#painted(visible);
        const length = view.to - view.from;
        const width = Math.round(this.width * devicePixelRatio);
        // Panning changes the last digits of a length.
        const key = [width, length.toPrecision(9), this.#stale, this.#layout.grown, ...tracks.map(({ id }) => id)].join();
        const have = this.#pending ?? this.#picture.window;
        const near = have && have.from <= view.from - length * 0.1 && have.to >= view.to + length * 0.1;
        const { log } = this.#store.value;
        const extent = log ? extentOf(log.status) : undefined;
        const covered = have && extent && have.from <= Math.max(view.from, extent[0]) && have.to >= Math.min(view.to, extent[1]);
        if (key === this.#asked && (near || covered)) return;
        this.#asked = key;
        const [first, last] = extent ?? [view.from, view.to];
        const from = Math.max(view.from - length * BESIDE, Math.min(first, view.to));
        const to = Math.min(view.to + length * BESIDE, Math.max(last, view.from));
        if (to <= from) return;
        this.#pending = { from, to };
        this.#ask.window(from, to, Math.ceil((width * (to - from)) / length), tracks);
    }

    /** @param {number} height */
    #prepare(height) {
        const ratio = devicePixelRatio;
        const width = this.#box.clientWidth;
        const [pixelsX, pixelsY] = [Math.round(width * ratio), Math.round(height * ratio)];
        if (this.#canvas.width !== pixelsX || this.#canvas.height !== pixelsY) {
            this.#canvas.width = pixelsX;
            this.#canvas.height = pixelsY;
            this.#canvas.style.width = `${width}px`;
            this.#canvas.style.height = `${height}px`;
            // For the ring around it, which lies above all that it holds.
            this.#box.style.setProperty("--timeline-height", `${height}px`);
        }
        this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.#context.font = FONT;
    }

    /**
     * @param {Scale} scale
     * @param {Row[]} visible
     * @param {number} top
     * @param {number} height
     */
    #draw(scale, visible, top, height) {
        const { theme, log } = this.#store.value;
        const context = this.#context;
        const [left, width] = [this.left, this.width];
        const origin = log?.status.extent?.[0] ?? 0;
        context.fillStyle = theme.css("background");
        context.fillRect(0, 0, left + width, height);
        context.save();
        context.beginPath();
        context.rect(left, 0, width, height);
        context.clip();
        for (const row of visible) this.#drawKnown(row, scale, top);
        paintGrid(context, scale.view, origin, { left, width, top: 0, height }, theme.css("line"));
        for (const row of visible) this.#drawRow(row, scale, top);
        this.#drawStuck(scale, top);
        this.#drawAhead(scale, height);
        this.#drawAxis(scale, origin);
        this.#drawMarks(scale, visible, top, height);
        context.restore();
    }

    /**
     * A heading that stays in sight covers the rows below it.
     * @param {Scale} scale
     * @param {number} top
     */
    #drawStuck(scale, top) {
        const stuck = stuckHeading(this.#layout, top);
        if (!stuck) return;
        const { theme } = this.#store.value;
        this.#context.fillStyle = theme.css("background");
        this.#context.fillRect(scale.left, stuck.y - top, scale.width, stuck.height);
        this.#context.fillStyle = theme.css("line");
        this.#context.fillRect(scale.left, stuck.y - top + stuck.height - 1, scale.width, 1);
        const row = this.#withTrack(stuck);
        this.#drawKnown(row, scale, top);
        this.#drawRow(row, scale, top);
    }

    /**
     * Rows scroll away below the axis.
     * @param {Scale} scale
     * @param {number} origin
     */
    #drawAxis({ left, width, view }, origin) {
        const { theme } = this.#store.value;
        const context = this.#context;
        context.fillStyle = theme.css("background");
        context.fillRect(left, 0, width, AXIS);
        paintGrid(context, view, origin, { left, width, top: AXIS - 6, height: 6 }, theme.css("line"));
        const colours = { text: theme.css("muted"), strong: theme.css("text") };
        paintTimes(context, view, origin, { left, width, height: AXIS }, colours, this.#axisMarks());
        context.fillStyle = theme.css("line");
        context.fillRect(left, AXIS - 1, width, 1);
    }

    /**
     * A lane has a ground where the log tells what it does: nothing on it is idle. Elsewhere it is hatched.
     * @param {Row} row
     * @param {Scale} scale
     * @param {number} top
     */
    #drawKnown(row, scale, top) {
        const { track } = row;
        const { theme, log, finished } = this.#store.value;
        if (!track || !log?.status.extent) return;
        const context = this.#context;
        const { y, height } = drawnIn(row);
        /** @param {[number, number]} times */
        const box = ([from, to]) => {
            const [x1, x2] = [Math.max(scale.x(from), scale.left), Math.min(scale.x(to), scale.left + scale.width)];
            return { x: x1, y: y - top, width: Math.max(x2 - x1, 0), height };
        };
        // A level has its ground from what it is known by.
        const told = SHAPES[track.shape].ground && !track.states.some(({ lacks }) => lacks);
        const [first, last] = log.status.extent;
        const times = told ? (track.known ?? [first, last]) : null;
        // What has not been read may still tell. Only what is not known is hatched: that takes longer than a plain ground.
        if (finished) {
            const [from, to] = times ?? [last, last];
            paintHatch(context, theme.css("hatch"), box([first, from]));
            paintHatch(context, theme.css("hatch"), box([to, last]));
        }
        if (!times) return;
        const known = box(times);
        context.fillStyle = theme.css("panel");
        context.fillRect(known.x, known.y, known.width, known.height);
    }

    /**
     * @param {Scale} scale
     * @param {number} height
     */
    #drawAhead(scale, height) {
        const { extent, ahead } = this.#store.value.log?.status ?? {};
        if (!extent || ahead === undefined) return;
        const from = Math.max(scale.x(extent[1]), scale.left);
        const to = Math.min(scale.x(ahead), scale.left + scale.width);
        paintVeil(this.#context, this.#store.value.theme.rgb("background"), { from, to, y: 0, height });
    }

    /**
     * @param {Row} row
     * @param {Scale} scale
     * @param {number} top
     */
    #drawRow(row, scale, top) {
        const { track } = row;
        if (!track) return;
        const { y, height } = drawnIn(row);
        const { theme } = this.#store.value;
        const context = this.#context;
        const box = { left: scale.left, width: scale.width, y: y - top, height };
        this.#picture.paint(context, track, scale.view, box, theme);
        const strip = this.#picture.window?.tracks.get(track.id);
        if (strip?.exact) {
            const lane = { left: scale.left, right: scale.left + scale.width, y: box.y, height: box.height };
            const roles = track.states.map(({ role }) => role);
            const style = { fills: roles.map(theme.css), texts: roles.map(theme.textOn), gap: theme.css("background") };
            paintSpans(context, strip, scale.x, lane, style);
        }
    }

    /**
     * What is selected, and where the pointer is.
     * @param {Scale} scale
     * @param {Row[]} visible
     * @param {number} top
     * @param {number} height
     */
    #drawMarks(scale, visible, top, height) {
        const { range, span, pointer, theme } = this.#store.value;
        const context = this.#context;
        const accent = theme.css("accent");
        const end = scale.left + scale.width;
        if (range) this.#drawRange(range, scale, height);
        const row = span && visible.find(({ track }) => track?.id === span.track);
        if (span && row) {
            const { y, height: high } = drawnIn(row);
            const [x1, x2] = [Math.max(scale.x(span.start), scale.left - 2), Math.min(scale.x(span.end), end + 2)];
            context.strokeStyle = accent;
            context.lineWidth = 2;
            const covered = this.#covered(row);
            context.save();
            context.beginPath();
            context.rect(scale.left, covered, scale.width, height - covered);
            context.clip();
            context.strokeRect(x1 - 1, y - top - 1, Math.max(x2 - x1, 1) + 2, high + 2);
            context.restore();
        }
        if (pointer) {
            context.fillStyle = accent;
            context.fillRect(Math.floor(this.place(pointer.x, pointer.y).x), 0, 1, height);
        }
        const colours = { ground: theme.css("background"), text: accent };
        const axis = { left: this.left, width: this.width, height: AXIS, ...colours };
        for (const mark of this.#axisMarks()) paintLabel(context, mark, axis);
    }

    /**
     * How much of the view the axis covers, and the heading that stays in sight above a row.
     * @param {Row} row
     */
    #covered({ kind }) {
        const { top } = this.#scrolled;
        const stuck = kind === "heading" ? null : stuckHeading(this.#layout, top);
        return stuck ? stuck.y + stuck.height - top : AXIS;
    }

    /**
     * What is marked on the axis, where there is room for it: the pointer's time before all, then the ends of the range, then
     * its length.
     */
    #axisMarks() {
        const { range, pointer } = this.#store.value;
        const { scale } = this;
        if (!scale) return [];
        const right = scale.left + scale.width;
        /** @type {import("./paint/axis.js").Mark[]} */
        const marks = [];
        if (pointer) {
            const x = Math.floor(this.place(pointer.x, pointer.y).x);
            marks.push({ text: this.#timeText(scale.time(x), scale.time(x + 1) - scale.time(x)), x, part: "middle" });
        }
        if (range) {
            const [x1, x2] = [scale.x(range.from), scale.x(range.to)];
            const [from, to] = [Math.max(x1, scale.left), Math.min(x2, right)];
            const length = range.to - range.from;
            if (x1 === from && x1 <= right) marks.push({ text: this.#timeText(range.from, length / 100), x: x1, part: "end" });
            if (x2 === to && x2 >= scale.left) marks.push({ text: this.#timeText(range.to, length / 100), x: x2, part: "start" });
            const text = duration(length);
            // In the middle of what can be seen of it.
            if (this.#context.measureText(text).width + 12 < to - from) marks.push({ text, x: (from + to) / 2, part: "middle" });
        }
        return apart(this.#context, marks, scale);
    }

    /**
     * @param {number} at
     * @param {number} fine the difference that it must tell
     */
    #timeText(at, fine) {
        const origin = this.#store.value.log?.status.extent?.[0] ?? 0;
        return time(at - origin, 10 ** Math.floor(Math.log10(Math.max(fine, 1))));
    }

    /**
     * The time outside of the range is paler.
     * @param {View} range
     * @param {Scale} scale
     * @param {number} height
     */
    #drawRange({ from, to }, scale, height) {
        const { theme } = this.#store.value;
        const context = this.#context;
        const [x1, x2] = [Math.round(scale.x(from)), Math.round(scale.x(to))];
        const around = { y: AXIS, height: height - AXIS };
        paintVeil(context, theme.rgb("background"), { ...around, from: scale.left, to: x1 });
        paintVeil(context, theme.rgb("background"), { ...around, from: x2, to: scale.left + scale.width });
        context.fillStyle = theme.css("accent");
        context.fillRect(x1, 0, 1, height);
        context.fillRect(x2 - 1, 0, 1, height);
    }
}
