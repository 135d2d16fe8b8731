// Moving about in a log, and selecting things in it: what gestures and keys do.

import { rowBeside } from "./rows.js";
import { around, extentOf, holding, panned, rangeWithin, whole, within, zoomed } from "./viewport.js";
import { SELECTION } from "./protocol.js";
import { selectable, spokenSpan } from "./describe.js";
import { duration } from "./format.js";
import { SCALED, SCALE_KEY, other } from "./scaling.js";
import { firstRows } from "./threads.js";

/** @typedef {import("./viewport.js").View} View */
/** @typedef {import("./protocol.js").Span} Span */

/** One press of a key. */
const ZOOM = 1.5;
const PAN = 0.15;
const SCROLL = 60;
/** How far an edge of a range moves, as a share of the view. */
const STEP = 0.01;

/** What is said where wake-ups lead to nobody. */
const NOBODY = { back: "No thread woke this one up", forth: "From here on, this thread woke nobody up" };

/** Tracks without anything to select that are passed over. */
const MOST_PASSED = 20;

/** Steps that may wait for their answers. */
const MOST_STEPS = 3;

/** How near the edge of a selection must be to be grasped, in CSS pixels. */
const GRASP = 4;

/**
 * @param {import("./store.js").Store<import("./state.js").State>} store
 * @param {import("./timeline.js").Timeline} timeline
 * @param {import("./shown-log.js").ShownLog} log
 * @param {HTMLElement} announcer speaks what is selected
 * @param {() => void} help
 */
export function navigation(store, timeline, log, announcer, help) {
    const extent = () => {
        const { log } = store.value;
        return log ? extentOf(log.status) : undefined;
    };
    const limits = () => {
        const ends = extent();
        return ends ? whole(ends) : null;
    };
    const origin = () => store.value.log?.status.extent?.[0] ?? 0;

    /** @param {View} view */
    const show = (view) => {
        const all = limits();
        if (!all) return;
        const next = within(view, all, timeline.width);
        store.set({ view: next, follows: next.from <= all.from && next.to >= all.to });
    };
    /** @param {(view: View) => View} change */
    const change = (change) => {
        const { view } = store.value;
        if (view) show(change(view));
    };
    /**
     * What a key zooms at: the pointer's place, wherever the view has moved meanwhile; else what is selected, if it can be
     * seen; else the middle.
     * @param {View} view
     */
    const focus = (view) => {
        const { pointer, range, span } = store.value;
        const selected = range ?? (span && { from: span.start, to: span.end });
        const at = selected ? (selected.from + selected.to) / 2 : NaN;
        const middle = at >= view.from && at <= view.to ? at : (view.from + view.to) / 2;
        return (pointer && timeline.pointing.timeAt(pointer.x)) ?? middle;
    };
    /** @param {number} factor */
    const zoomBy = (factor) => change((view) => zoomed(view, focus(view), factor));
    /** @param {number} share */
    const panBy = (share) => change((view) => panned(view, share));
    /** @param {number} pixels */
    const scrollBy = (pixels) => timeline.scrollBy(pixels);

    /** Counts what was selected: an answer that comes late is known by it. */
    let selections = 0;
    /** Settled once all that was asked for to be selected has been answered. @type {Promise<unknown>} */
    let selected = Promise.resolve();
    /**
     * Does something with what is selected, once that is known; not if something else is selected meanwhile.
     * @param {() => void | Promise<void>} act
     */
    const withSelected = (act) => {
        const mine = selections;
        selected = selected.then(() => (mine === selections ? act() : undefined)).catch(() => {});
        return selected;
    };
    /** @param {Span | null} span */
    const select = (span) => {
        store.set({ span });
        announcer.textContent = span ? spokenSpan(span, span.on) : "";
    };
    /** @param {Span} span */
    const reveal = (span) => {
        const { view } = store.value;
        timeline.reveal(span);
        if (!view || (span.end >= view.from && span.start <= view.to)) return;
        const half = (view.to - view.from) / 2;
        const at = (span.start + span.end) / 2;
        show({ from: at - half, to: at + half });
    };
    /**
     * The track so many rows below a span's, or above it; the first one if there is no span.
     * @param {Span | null} span
     * @param {number} by
     */
    const trackBeside = async (span, by) => {
        const row = rowBeside(timeline.layout, span, by);
        return row && timeline.find({ group: row.groups[0].key, at: row.at });
    };
    /** @param {boolean} next */
    const stepOnce = async (next) => {
        const { span, view, file } = store.value;
        const mine = selections;
        const first = span ? null : await trackBeside(null, 1);
        const point = span ? { track: span.track, time: span.start } : first && view && { track: first.id, time: view.from };
        const found = point && selectable(await log.ask("neighbour", { ...point, next }));
        if (mine !== selections || store.value.file !== file) return;
        if (!found) announcer.textContent = next ? "No later span" : "No earlier span";
        if (!found) return;
        select(found);
        reveal(found);
    };
    /**
     * A span that can be seen: its reader may have chosen not to see its track.
     * @param {Span} span
     */
    const shown = async (span) => {
        if (!span.hidden) return span;
        store.set({ threads: { ...firstRows(), order: store.value.threads.order } });
        announcer.textContent = "All threads have rows again";
        return selectable(await log.ask("lookUp", { asker: SELECTION, track: span.track, from: span.start, to: span.start + 1 })) ?? span;
    };
    /**
     * Goes along wake-ups: to who woke this thread up, or to whom it woke up.
     * @param {boolean} back
     */
    const alongOnce = async (back) => {
        const { span, file } = store.value;
        const mine = selections;
        const found =
            span &&
            selectable(await log.ask("woken", { asker: SELECTION, track: span.thread?.track ?? span.track, time: span.start, back }));
        if (mine !== selections || store.value.file !== file) return;
        if (!found) announcer.textContent = span ? NOBODY[back ? "back" : "forth"] : "Select a thread's span first";
        if (!found) return;
        const seen = await shown(found);
        if (mine !== selections || store.value.file !== file) return;
        select(seen);
        reveal(seen);
    };
    /** From a thread's run on its capability's lane to the thread's own row, and back. */
    const turnOnce = async () => {
        const { span, file } = store.value;
        const mine = selections;
        const other = span && (span.thread?.track === span.track ? span.lane : span.thread);
        const found =
            span &&
            other &&
            selectable(await log.ask("lookUp", { asker: SELECTION, track: other.track, from: span.start, to: span.start + 1 }));
        if (mine !== selections || store.value.file !== file) return;
        if (!found) announcer.textContent = "There is no other row of it";
        if (!found) return;
        const seen = await shown(found);
        if (mine !== selections || store.value.file !== file) return;
        select(seen);
        reveal(seen);
    };
    let waiting = 0;
    /**
     * Steps wait for each other, since each begins where the one before came to; but a key held down does not queue.
     * @param {() => Promise<void>} once
     */
    const step = (once) => {
        if (waiting >= MOST_STEPS) return;
        waiting += 1;
        void withSelected(once).finally(() => (waiting -= 1));
    };
    /**
     * Selects on the track below or above, near what is selected now.
     * @param {number} by
     */
    const changeTrack = async (by) => {
        const { span, view, file } = store.value;
        const mine = selections;
        if (!view) return;
        const time = span ? span.start : view.from;
        /** @type {Span | null} */
        let found = null;
        // Some have nothing to select, as those that stand for others.
        for (let rows = 1; rows <= MOST_PASSED && !found; rows++) {
            const track = await trackBeside(span, by * rows);
            if (!track) return;
            const point = { track: track.id, time };
            const here = selectable(await log.ask("lookUp", { asker: SELECTION, track: track.id, from: time, to: time + 1 }));
            found =
                here ??
                selectable(await log.ask("neighbour", { ...point, next: true })) ??
                selectable(await log.ask("neighbour", { ...point, next: false }));
        }
        if (mine !== selections || store.value.file !== file || !found) return;
        select(found);
        reveal(found);
    };
    /** @param {import("./protocol.js").Pixel | null} pixel */
    const selectAt = async (pixel) => {
        const { file, bands } = store.value;
        const mine = ++selections;
        // A band that is clicked is drawn alone, and with the others again.
        if (pixel?.part !== undefined) store.set({ bands: { ...bands, only: bands.only === pixel.part ? null : pixel.part } });
        const span = pixel && selectable(await log.ask("lookUp", { asker: SELECTION, ...pixel }));
        // Something else may have been selected meanwhile, or another log opened.
        if (mine === selections && store.value.file === file) select(span);
    };
    /**
     * The same of what may be out of sight, or too long to be seen as a whole.
     * @param {import("./protocol.js").Pixel} pixel
     */
    const selectShown = async (pixel) => {
        await selectAt(pixel);
        const { span, view } = store.value;
        const mine = selections;
        if (!span || span.track !== pixel.track) return;
        const seen = await shown(span);
        if (mine !== selections) return;
        if (seen !== span) select(seen);
        if (view && (seen.start < view.from || seen.end > view.to)) show(around({ from: seen.start, to: seen.end }));
        reveal(seen);
    };
    const fit = () => {
        const { range, span } = store.value;
        if (range) show(around(range));
        else if (span) show(around({ from: span.start, to: span.end }));
    };
    const showRange = () => {
        const { range } = store.value;
        if (range) show(range);
    };
    const sayRange = () => {
        const { range } = store.value;
        announcer.textContent = range ? `${duration(range.to - range.from)} selected` : "";
    };
    /**
     * Beyond the log's ends there is nothing to select.
     * @param {View} range
     */
    const setRange = (range) => {
        const ends = extent();
        if (ends) store.set({ range: rangeWithin(range, ends) });
    };
    /** @param {View} range */
    const selectRange = (range) => {
        setRange(range);
        sayRange();
    };
    /** Of the selected span; of the view if none is selected. */
    const makeRange = () => {
        const { span, view } = store.value;
        if (span) selectRange({ from: span.start, to: Math.max(span.end, span.start + 1) });
        else if (view) selectRange({ ...view });
    };
    /**
     * Moves an edge of the range, not beyond the other one, and to where it can be seen.
     * @param {"from" | "to"} edge
     * @param {number} by a share of the view
     */
    const moveEdge = (edge, by) => {
        const { range, view } = store.value;
        const ends = extent();
        if (!range || !view || !ends) return;
        const at = Math.min(Math.max(range[edge] + by * (view.to - view.from), ends[0]), ends[1]);
        const moved = edge === "from" ? Math.min(at, range.to - 1) : Math.max(at, range.from + 1);
        selectRange({ ...range, [edge]: moved });
        change((view) => holding(view, moved));
    };
    const clear = () => {
        selections += 1;
        store.set({ range: null, bands: { ...store.value.bands, only: null } });
        select(null);
    };

    /** @type {Omit<import("./gestures.js").Actions, "hover">} */
    const actions = {
        zoom: (x, factor) => {
            const at = timeline.pointing.scale?.time(x);
            if (at !== undefined) change((view) => zoomed(view, at, factor));
        },
        pan: (pixels) => panBy(pixels / timeline.width),
        select: (x1, x2) => {
            const { scale } = timeline.pointing;
            if (!scale) return;
            const [from, to] = [x1, x2].map((x) => scale.time(Math.max(x, scale.left))).sort((a, b) => a - b);
            setRange({ from, to });
        },
        selected: () => sayRange(),
        edge: (x) => {
            const { range } = store.value;
            const { scale } = timeline.pointing;
            if (!range || !scale) return null;
            const [from, to] = [scale.x(range.from), scale.x(range.to)];
            if (Math.abs(x - from) <= GRASP) return to;
            return Math.abs(x - to) <= GRASP ? from : null;
        },
        click: (event) => {
            selected = Promise.allSettled([selected, selectAt(timeline.pointing.pixelAt(event.clientX, event.clientY))]);
        },
    };

    const rescale = () => {
        const scaling = other(store.value.scaling);
        store.set({ scaling });
        announcer.textContent = SCALED[scaling];
    };

    /** @type {import("./keys.js").Binding[]} */
    const bindings = [
        { codes: ["KeyW", "Equal", "NumpadAdd"], keys: "W +", what: "zoom in", run: () => zoomBy(1 / ZOOM) },
        { codes: ["KeyS", "Minus", "NumpadSubtract"], keys: "S −", what: "zoom out", run: () => zoomBy(ZOOM) },
        { codes: ["KeyA", "ArrowLeft"], keys: "A ←", what: "move left", run: () => panBy(-PAN) },
        { codes: ["KeyD", "ArrowRight"], keys: "D →", what: "move right", run: () => panBy(PAN) },
        { codes: ["ArrowUp"], keys: "↑", what: "scroll the tracks up", run: () => scrollBy(-SCROLL) },
        { codes: ["ArrowDown"], keys: "↓", what: "scroll the tracks down", run: () => scrollBy(SCROLL) },
        { codes: ["Digit0", "Numpad0"], keys: "0", what: "show the whole log", run: () => change(() => limits() ?? { from: 0, to: 1 }) },
        { codes: ["KeyF"], keys: "F", what: "fit the selection", run: () => void withSelected(fit) },
        { codes: ["Enter"], keys: "Enter", what: "zoom to the selected range", run: () => void withSelected(showRange) },
        {
            codes: ["KeyR"],
            keys: "R",
            what: "select a range: the time of the selected span, or of the view",
            run: () => void withSelected(makeRange),
        },
        { codes: ["Shift+ArrowLeft"], keys: "Shift+←", what: "move the range's end to the left", run: () => moveEdge("to", -STEP) },
        { codes: ["Shift+ArrowRight"], keys: "Shift+→", what: "move the range's end to the right", run: () => moveEdge("to", STEP) },
        {
            codes: ["Alt+Shift+ArrowLeft"],
            keys: "Alt+Shift+←",
            what: "move the range's start to the left",
            run: () => moveEdge("from", -STEP),
        },
        {
            codes: ["Alt+Shift+ArrowRight"],
            keys: "Alt+Shift+→",
            what: "move the range's start to the right",
            run: () => moveEdge("from", STEP),
        },
        { codes: ["Escape"], keys: "Esc", what: "clear the selection", run: clear },
        { codes: [], keys: "wheel", what: "scroll the tracks up and down" },
        { codes: [], keys: "Ctrl+wheel pinch", what: "zoom in and out" },
        { codes: [], keys: "Shift+wheel Shift+drag", what: "move left and right" },
        { codes: [], keys: "click", what: "details of a span" },
        { codes: [], keys: "drag long_press", what: "select a range; its edges can be dragged" },
        { codes: [], keys: "Alt+← Alt+→", what: "back and forward in what was in view" },
        { codes: ["Period"], keys: ".", what: "next span on the track", run: () => step(() => stepOnce(true)) },
        { codes: ["Comma"], keys: ",", what: "previous span on the track", run: () => step(() => stepOnce(false)) },
        { codes: ["BracketLeft"], keys: "[", what: "to the thread that woke this one up", run: () => step(() => alongOnce(true)) },
        {
            codes: ["BracketRight"],
            keys: "]",
            what: "to the thread that this one woke up, or to its next run",
            run: () => step(() => alongOnce(false)),
        },
        { codes: ["KeyT"], keys: "T", what: "from a run on a capability to its thread's row, and back", run: () => step(turnOnce) },
        { codes: ["Shift+ArrowDown"], keys: "Shift+↓", what: "to the track below", run: () => step(() => changeTrack(1)) },
        { codes: ["Shift+ArrowUp"], keys: "Shift+↑", what: "to the track above", run: () => step(() => changeTrack(-1)) },
        { codes: ["KeyL"], keys: SCALE_KEY, what: "scale lines to what is in view, or to the whole log", run: rescale },
        { codes: [], keys: "Enter ← →", what: "on a group's heading: fold and unfold it" },
        { codes: [], keys: "Ctrl+P", what: "print" },
        { codes: ["?"], keys: "?", what: "this list", run: help },
    ];

    /**
     * Shows the surroundings of a time, as much as before.
     * @param {number} time
     */
    const centre = (time) => change(({ from, to }) => ({ from: time - (to - from) / 2, to: time + (to - from) / 2 }));

    /** What buttons do, too. */
    const acts = {
        /** @param {boolean} next */
        step: (next) => step(() => stepOnce(next)),
        fit: () => void withSelected(fit),
        /** Only what is selected on a track: the range stays. */
        deselect: () => {
            selections += 1;
            select(null);
        },
        /**
         * Selects what a track shows at a time.
         * @param {number} track
         * @param {number} time
         */
        selectAt: (track, time) => {
            selected = Promise.allSettled([selected, selectShown({ track, from: time, to: time + 1 })]);
            return selected;
        },
        showRange: () => void withSelected(showRange),
        clearRange: () => store.set({ range: null }),
    };

    return { actions, bindings, acts, centre, show, origin };
}
