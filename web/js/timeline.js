// The timeline: puts its parts together. It paints the rows in view, asks the worker for what they need, and says what is at a point.

import { AXIS, HEADING, extentOfGroup } from "./rows.js";
import { Canvas } from "./timeline/canvas.js";
import { LeftRows } from "./timeline/left-rows.js";
import { Requests } from "./timeline/requests.js";
import { Pointing } from "./timeline/pointing.js";
import { ScrollBox } from "./timeline/scroll-box.js";
import { Surface } from "./timeline/surface.js";
import { TrackRows } from "./timeline/track-rows.js";
import { bandsOf } from "./bands.js";
import { draw } from "./timeline/drawing.js";
import { empty } from "./timeline/keeping.js";
import { fillBands } from "./timeline/band-names.js";
import { followFolds, showHeaders } from "./headers.js";
import { fits, sheetOf } from "./sheet.js";
import { requestFrame } from "./frame.js";
import { changeShown, shownOf } from "./state.js";
import { turned } from "./threads.js";
import { timesOnPage, viewInLog } from "./page-time.js";

/** @typedef {import("./timeline/requests.js").Asks & { rows: import("./tracks.js").Ask }} Asks what the timeline asks for */
/** @typedef {import("./sheet.js").Sheet} Sheet */

/**
 * The coarse picture of the whole log also contains the rows that are this near to the view, in CSS pixels, since they can be scrolled to.
 */
const AROUND = 1500;

/** While rows scroll, ask for this many more than are in view, as a share of those: on the side that comes into view, and on the other. */
const [AHEAD, BEHIND] = [0.4, 0.1];

/** Its least height, in CSS pixels, whatever covers it. */
const LEAST = 80;

/** The least part of a group that is brought into view when it is unfolded, in CSS pixels: its heading, and two or three rows. */
const BEGIN = HEADING + 90;

/** How long after scrolling rows are put in order, and a coarse picture of new rows is asked for, in ms. */
const REST = 150;

export class Timeline {
    #box;
    #headers;
    #store;
    #picture;
    #canvas;
    #surface;
    #rows;
    #requests;
    #scroll;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #resting;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #settling;
    /** The sheet to print: its pictures are asked for like those in view. @type {Sheet | null} */
    #wanted = null;
    /** How often printing has begun or ended: work begun before the last time is no longer wanted. */
    #printings = 0;
    #paused = false;
    /** The height of the rows above the view when it was last painted. */
    #painted = 0;
    /** Whether the last scrolling went up. */
    #upwards = false;
    #left = new LeftRows();

    /**
     * @param {{ box: HTMLElement, canvas: HTMLCanvasElement, headers: HTMLElement, sizer: HTMLElement }} elements
     * @param {import("./store.js").Store<import("./state.js").State>} store
     * @param {import("./picture.js").Picture} picture
     * @param {Asks} ask
     * @param {boolean} remembers whether to remember which groups are folded
     * @param {(group: string) => void} arrange lets the user choose which rows a group has
     */
    constructor({ box, canvas, headers, sizer }, store, picture, ask, remembers, arrange) {
        this.#box = box;
        this.#headers = headers;
        this.#store = store;
        this.#picture = picture;
        this.repaint = requestFrame(() => this.paint());
        this.#canvas = new Canvas(canvas, box);
        this.#surface = new Surface(box, headers);
        this.#requests = new Requests(ask, picture);
        this.#scroll = new ScrollBox(box, sizer, this.repaint);
        this.#rows = new TrackRows(store, ask.rows, this.repaint, remembers);
        this.pointing = new Pointing(store, this.#surface, this.#rows, this.#scroll, picture);
        followFolds(headers, {
            fold: (key, folded) => {
                this.fold(key, folded);
                if (!folded) this.#showBegin(key);
            },
            turn: (track) => changeShown(store, { threads: turned(shownOf(store.value).threads, track) }),
            arrange,
        });
        new ResizeObserver(this.repaint).observe(box);
        store.follow(() => this.repaint());
    }

    /** Takes the focus, when the element that had it is gone, or the timeline shows the result. */
    focus() {
        this.#box.focus();
    }

    /** Height of the part that shows rows, in CSS pixels. */
    get height() {
        return this.#surface.height;
    }

    /** How far the rows are scrolled, and the width of their headers. */
    get scrolled() {
        return { top: this.#scroll.top, left: this.#surface.left };
    }

    /** The rows in view, the pinned ones first. */
    get inView() {
        const { top } = this.#scroll;
        return this.#rows.inView(top, top + this.layout.head - AXIS, top + this.#surface.height).filter(({ kind }) => kind !== "foot");
    }

    /**
     * The row at a height among all rows.
     * @param {number} y
     */
    rowAt(y) {
        return this.#rows.between(y, y + 1).find(({ kind }) => kind !== "foot") ?? null;
    }

    /** Scrolls a page that scrolls until the timeline is in view. */
    comeIntoView() {
        const { flexGrow, position } = getComputedStyle(this.#box);
        // It stays in view where it is sticky.
        if (flexGrow === "0" && position !== "sticky") this.#box.scrollIntoView({ block: "start" });
    }

    get layout() {
        return this.#rows.layout;
    }

    /** The known tracks, among them those in view. */
    get tracks() {
        return this.#rows.tracks;
    }

    /** Width of the part that shows time, in CSS pixels. */
    get width() {
        return this.#surface.width;
    }

    /**
     * Takes a picture that was asked for.
     * @param {boolean} isLast whether no better picture follows
     */
    answered(isLast) {
        if (isLast) this.#requests.answered();
        this.repaint();
    }

    /** The log has grown since the last request. */
    outdated() {
        this.#requests.outdated();
        if (shownOf(this.#store.value).log) {
            this.#layOut(this.#surface.height);
            this.#askWhole();
        }
        this.repaint();
    }

    /**
     * A track; the worker is asked for it if it is not known.
     * @param {import("./rows.js").Slot} slot
     */
    find(slot) {
        return this.#rows.find(slot);
    }

    /**
     * Where a track is, if it is known, as those in view are.
     * @param {number} id
     */
    placeOf(id) {
        return this.#rows.placeOf(id);
    }

    /**
     * Folds a group, or unfolds it.
     * @param {string} key
     * @param {boolean} folded
     */
    fold(key, folded) {
        this.#rows.fold(key, folded);
        this.repaint();
    }

    /**
     * Scrolls until some of a group's rows are in view. If only its heading were, unfolding would seem to have no effect.
     * @param {string} key
     */
    #showBegin(key) {
        const { height } = this.#surface;
        this.#layOut(height);
        const extent = extentOfGroup(this.layout, key);
        if (!extent) return;
        const below = Math.min(extent.bottom, extent.top + BEGIN) - height;
        if (below > this.#scroll.top) this.#scroll.to(Math.min(below, extent.top - this.layout.head));
    }

    /**
     * Unfolds a group, and scrolls to its heading.
     * @param {string} key
     */
    revealGroup(key) {
        this.fold(key, false);
        this.#layOut(this.#surface.height);
        const extent = extentOfGroup(this.layout, key);
        if (extent) this.#scroll.to(extent.top - this.layout.head);
    }

    /** The groups that the user folded or unfolded. */
    get folds() {
        return this.#rows.folds;
    }

    /** @param {import("./folds.js").Folds} folds */
    foldAs(folds) {
        this.#rows.foldAs(folds);
        this.repaint();
    }

    /**
     * A link leads to another log, and says what is folded there.
     * @param {string} url the log's, as in the link
     * @param {import("./folds.js").Folds | null} folds null if the link says nothing of that
     */
    foldNext(url, folds) {
        this.#left.link(url, folds);
    }

    /** Which rows are in view: how far they are scrolled, and which groups are folded. */
    get place() {
        return { top: this.#scroll.top, folds: this.folds };
    }

    /** @param {{ top: number, folds: import("./folds.js").Folds }} place the rows to bring into view again */
    putBack({ top, folds }) {
        this.foldAs(folds);
        this.#layOut(this.#surface.height);
        this.#scroll.to(top);
    }

    /** @param {number} pixels */
    scrollBy(pixels) {
        this.#scroll.by(pixels);
    }

    /**
     * Scrolls until a track is in view, and unfolds its group for that, unless a row of the folded group shows it. A row that the user has
     * hidden is shown for the moment.
     * @param {import("./rows.js").Slot & { track: number }} slot
     */
    reveal({ group, at, track }) {
        this.#layOut(this.#surface.height);
        let row = this.#rows.of({ group, at });
        const isThere = shownOf(this.#store.value).log?.groups.some(({ key, tracks }) => key === group && at < tracks);
        // What is about a whole group leads to the first of its tracks, whichever that is.
        if (!row && track < 0 && isThere)
            return void this.find({ group, at }).then((first) => first && this.reveal({ group, at, track: first.id }));
        if (!row && isThere) {
            changeShown(this.#store, { peek: { track, group, at } });
            this.#layOut(this.#surface.height);
            row = this.#rows.of({ group, at });
        }
        if (row?.kind === "heading" && row.groups[0].picture?.id !== track) {
            this.fold(group, false);
            this.#layOut(this.#surface.height);
            row = this.#rows.of({ group, at });
        }
        if (row && !row.pinned) this.#scrollTo(row);
    }

    /** @param {Pick<import("./rows.js").Row, "y" | "height">} row */
    #scrollTo({ y, height }) {
        const [above, below] = [y - this.layout.head - HEADING, y + height - this.#surface.height];
        const { top } = this.#scroll;
        if (top <= above && top >= below) return;
        this.#scroll.to(top > above ? above : below);
    }

    /**
     * Ends the timeline where a panel covers it, as in a narrow window: rows under that could not be seen. A page that scrolls is scrolled
     * instead.
     * @param {HTMLElement} panel
     * @returns {boolean} whether that made it lower
     */
    makeWayFor(panel) {
        const before = parseFloat(this.#box.style.marginBottom) || 0;
        const { top, bottom } = this.#box.getBoundingClientRect();
        const { position } = getComputedStyle(panel);
        const scrolls = getComputedStyle(this.#box).flexGrow === "0";
        // What the user has scrolled out of the window is not covered.
        if (scrolls && !panel.hidden && position === "fixed" && bottom > Math.max(panel.getBoundingClientRect().top, 0)) scrollBy(0, top);
        const isAbove = !panel.hidden && position !== "static" && !scrolls;
        const most = Math.max(bottom + before - top - LEAST, 0);
        const covered = isAbove ? Math.min(Math.max(Math.ceil(bottom + before - panel.getBoundingClientRect().top), 0), most) : 0;
        if (covered !== before) this.#box.style.marginBottom = covered > 0 ? `${covered}px` : "";
        return covered > before;
    }

    /** The sheet of paper that would be printed. */
    get sheet() {
        return sheetOf(this.layout, this.#scroll.top);
    }

    /** Waits until the sheet can be painted. Its pictures are kept until `release`. */
    async gather() {
        const printing = ++this.#printings;
        const { sheet } = this;
        await this.#rows.load(sheet.top, sheet.bottom);
        if (printing !== this.#printings) return;
        this.#wanted = sheet;
        this.paint();
        await this.#requests.settled();
    }

    /** The sheet has been printed, or is no longer wanted. */
    release() {
        this.#printings++;
        this.#wanted = null;
        this.repaint();
    }

    /**
     * The rows of a sheet, with their tracks as far as they are known.
     * @param {Sheet} sheet
     */
    rowsOf({ top, bottom }) {
        const { head } = this.layout;
        // The button in the last row is of no use on paper.
        const rows = this.#rows.between(top, bottom).filter(({ kind }) => kind !== "foot");
        if (top < head) return rows;
        // The pinned rows are printed right above the first of the others.
        return [...this.#rows.between(AXIS, head).map((row) => ({ ...row, y: row.y + top - head })), ...rows];
    }

    /**
     * Pauses painting and asking: on paper, its box may have another size, and other colours.
     * @returns {() => void} ends the pause
     */
    pause() {
        const { top } = this.#scroll;
        this.#paused = true;
        return () => {
            this.#paused = false;
            this.paint();
            // Some browsers forget how far a box is scrolled if it is not printed.
            if (this.#scroll.top !== top) this.#scroll.to(top);
        };
    }

    /** Paints now; `repaint` waits for a frame. */
    paint() {
        if (this.#paused) return;
        const { view, follows } = this.#store.value;
        const { log, finished } = shownOf(this.#store.value);
        if (!view || !log) return this.#clear();
        const { height } = this.#surface;
        this.#layOut(height);
        this.#scroll.follow();
        const { top } = this.#scroll;
        const rows = this.#rows.inView(top, top + this.layout.head - AXIS, top + height);
        this.#request(view, rows);
        const emptied = this.#canvas.fit(height);
        // While a log is read, all of its picture changes, and the next one comes at once: paint only once for both. The very
        // first one does not wait.
        const soon = !finished && follows && this.#requests.pending && this.#picture.window;
        if (emptied || !soon) this.#draw(this.#surface.scale(view), rows, top, height);
        const scrolls = top !== this.#painted;
        this.#showHeaders(rows, height, scrolls);
        this.#painted = top;
        if (scrolls) this.#comeToRest();
    }

    /**
     * Asks for what is needed to show some rows.
     * @param {import("./viewport.js").View} view
     * @param {import("./headers.js").Shown[]} visible
     */
    #request(view, visible) {
        const { height } = this.#surface;
        const { top } = this.#scroll;
        this.#rows.show(...this.#near(height));
        const rows = this.#wanted ? this.rowsOf(this.#wanted) : visible;
        if (top !== this.#painted) this.#upwards = top < this.#painted;
        const [above, below] = this.#upwards ? [AHEAD, BEHIND] : [BEHIND, AHEAD];
        const around = () => (this.#wanted ? rows : this.#rows.inView(top, top - height * above, top + height * (1 + below)));
        const width = Math.round(this.width * devicePixelRatio);
        this.#requests.window(viewInLog(shownOf(this.#store.value), view), rows, around, this.#what, { width, grown: this.layout.grown });
        const coarse = this.#fitsPaper ? this.#rowsNear : visible;
        if (!this.#isPaintedOver && !this.#requests.hasCoarse(coarse)) this.#askWholeSoon();
    }

    /**
     * Whether a coarse picture would only be painted over: while the log is read, or its threads are followed, with all of it in view, each
     * report brings another finer picture of all of it. The very first coarse one comes sooner than the first finer one.
     */
    get #isPaintedOver() {
        const state = this.#store.value;
        const { log, finished } = shownOf(state);
        const { share = 0, stopped } = log?.following ?? {};
        const isGrowing = !finished || (share > 0 && !stopped);
        return state.follows && isGrowing && this.#picture.window !== null;
    }

    /** Whether a sheet of paper has room for all rows: then the coarse picture contains all of them, whichever are in view. */
    get #fitsPaper() {
        return fits(this.layout);
    }

    /**
     * The top and bottom of the rows near the view; of all rows, if those may be printed before they have been in view.
     * @param {number} beyond the distance from the view
     * @returns {[number, number]}
     */
    #near(beyond) {
        const { top } = this.#scroll;
        return this.#fitsPaper ? [0, this.layout.height] : [top - beyond, top + this.#surface.height + beyond];
    }

    /** The rows of the coarse picture. */
    get #rowsNear() {
        return this.#rows.inView(this.#scroll.top, ...this.#near(AROUND));
    }

    /**
     * @param {import("./timeline/surface.js").Scale} scale
     * @param {import("./headers.js").Shown[]} rows
     * @param {number} top
     * @param {number} height
     */
    #draw(scale, rows, top, height) {
        const state = this.#store.value;
        const log = shownOf(state);
        const { context } = this.#canvas;
        const stuck = this.#rows.stuck(top);
        const pointer = state.pointer && this.#surface.point(state.pointer.x, state.pointer.y).x;
        const hovered = state.pointer && this.pointing.pixelAt(state.pointer.x, state.pointer.y);
        draw({
            context,
            state,
            log,
            picture: this.#picture,
            times: timesOnPage(state, log),
            scale,
            ownScale: scale.of(log),
            rows,
            together: rows,
            stuck,
            layout: this.layout,
            top,
            height,
            pointer,
            hovered,
            printed: false,
        });
    }

    /**
     * Last, since asking for the page's layout after this would force the browser to compute it at once.
     * @param {import("./headers.js").Shown[]} rows
     * @param {number} room
     * @param {boolean} scrolls
     */
    #showHeaders(rows, room, scrolls) {
        const { top, high, offset } = this.#scroll;
        const { track: current = null, group: within = null } = this.#store.value.span ?? {};
        showHeaders(this.#headers, {
            layout: this.layout,
            rows,
            top,
            room,
            high,
            offset,
            current,
            within,
            fillBands: (row, track) => this.#fillBands(row, track),
            scrolls,
            log: shownOf(this.#store.value),
        });
    }

    /**
     * @param {HTMLElement} row
     * @param {import("./protocol.js").Track | null} track
     */
    #fillBands(row, track) {
        const { bands } = shownOf(this.#store.value);
        const strip = track && this.#picture.strip(track.id);
        const list = track && (strip ? bandsOf(strip, bands.named) : []);
        fillBands(row, list, bands, (chosen) => changeShown(this.#store, { bands: { ...shownOf(this.#store.value).bands, ...chosen } }));
    }

    /** Forgets the log that was shown before, and sizes the canvas before the first picture comes. */
    #clear() {
        if (this.#box.clientWidth > 0) this.#canvas.fit(this.#surface.height);
        this.#canvas.clear();
        this.#scroll.clear();
        empty(this.#headers);
        this.#rows.forget();
        this.#requests.forget();
        this.#printings++;
        this.#wanted = null;
    }

    /** @param {number} room the height for rows */
    #layOut(room) {
        const turned = this.#left.turn(shownOf(this.#store.value), () => this.place);
        if (turned?.folds) this.#rows.foldAs(turned.folds);
        if (this.#rows.layOut(room)) {
            this.#scroll.resize(this.layout.height, room);
            this.#box.style.setProperty("--head", `${this.layout.head}px`);
        }
        if (turned) this.#scroll.to(turned.top);
    }

    /** The log and the colours of the pictures to ask for. */
    get #what() {
        const state = this.#store.value;
        return { log: shownOf(state).log, theme: state.theme };
    }

    /** Asks for a coarse picture of the whole log: of the rows in view and those around them, unless it would be painted over. */
    #askWhole() {
        clearTimeout(this.#resting);
        this.#requests.whole(this.#isPaintedOver ? [] : this.#rowsNear, this.#what);
    }

    /** Puts the rows in order when they no longer scroll, for screen readers. */
    #comeToRest() {
        clearTimeout(this.#settling);
        this.#settling = setTimeout(this.repaint, REST);
    }

    /** Rows have come into view that the last coarse picture lacks. */
    #askWholeSoon() {
        clearTimeout(this.#resting);
        this.#resting = setTimeout(() => shownOf(this.#store.value).log && this.#askWhole(), REST);
    }
}
