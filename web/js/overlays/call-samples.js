// The samples whose stacks go through a row of a call tree: a tick for each at the axis and, on the rows that show samples, at the bottom. How
// many of a pixel's samples there are is not shown: the row itself shows where most time went.

import { addOverlay } from "./overlay.js";
import { coveredAbove } from "../timeline/scene.js";
import { follow } from "../store.js";
import { changeLog, shownOf } from "../state.js";
import { AXIS, drawnIn } from "../rows.js";
import { viewInLog } from "../page-time.js";

/** @typedef {import("../viewport.js").View} View */
/** @typedef {import("../protocol.js").CallSamples} CallSamples */
/** @typedef {{ key: string, view: View, width: number, tracks: number[], found: CallSamples }} Marks `tracks`: those that were asked about */

const KEY = "call-samples";

/** Pixels that are asked for: more than most screens have. */
const WIDTH = 2048;

/** How much time is asked for around the view, as a share of it: the view moves. */
const AROUND = 0.5;

/** A view may be this much shorter than the time that was asked for. */
const COARSE = 3;

/** Sizes in CSS pixels: of a tick at the axis, of the line on a row, and the width of the one that was gone to. */
const [TICK, LINE, CHOSEN] = [5, 4, 3];

/** Most rows that are asked about: a screen has no more. */
const MOST_ROWS = 200;

/** The shapes of rows that show samples: names of frames, and bands of a heap profile. */
const SHAPES = new Set(["names", "bands"]);

/** @type {import("./overlay.js").Overlay<Marks | null>} */
const marks = {
    key: KEY,
    start({ store, log, show }) {
        let asked = 0;
        /** What the marks at hand are of. @type {{ about: unknown[], view: View } | null} */
        let there = null;
        const ask = async () => {
            const state = shownOf(store.value);
            const { calls, number, log: info } = state;
            const { view } = store.value;
            if (!calls || !view || !info) {
                there = null;
                if (state.overlayData[KEY]) show(number, null);
                return;
            }
            const { from, to } = viewInLog(state, view);
            const tracks = sampledTracks(info);
            const about = [number, calls.way, state.totals, info.read, tracks.join()];
            if (there && isSame(about, there.about) && isFine({ from, to }, there.view)) return;
            const mine = ++asked;
            const more = (to - from) * AROUND;
            const around = { from: from - more, to: to + more };
            there = { about, view: around };
            const found = await log.ask("callSamples", { ...calls.way, ...around, width: WIDTH, tracks });
            const now = shownOf(store.value);
            if (mine !== asked) return;
            if (!found || now.number !== number || now.calls?.key !== calls.key) {
                there = null;
                return;
            }
            show(number, { key: calls.key, view: around, width: WIDTH, tracks, found });
            const { total, oneOf } = found;
            if (now.calls.total !== total || now.calls.oneOf !== oneOf) changeLog(store, number, { calls: { ...now.calls, total, oneOf } });
        };
        follow(
            store,
            (state) => [
                state.shown,
                state.view,
                shownOf(state).calls?.key,
                shownOf(state).calls?.way,
                shownOf(state).log,
                shownOf(state).totals,
            ],
            () => void ask(),
        );
        // Marks of a range become those of the whole log when the range is cleared, and the other way round.
        follow(
            store,
            (state) => [state.range === null, shownOf(state).totals],
            ({ range, ...state }) => {
                const { calls, number, totals } = shownOf(state);
                const isOfRange = range !== null && totals !== null;
                if (calls && calls.way.range !== isOfRange)
                    changeLog(store, number, { calls: { ...calls, way: { ...calls.way, range: isOfRange }, at: null } });
            },
        );
    },
    draw(scene, data) {
        const { context, state, log, ownScale: scale, rows, top, height } = scene;
        const { calls } = log;
        if (!calls || data?.key !== calls.key) return;
        const { view, width, tracks, found } = data;
        const pixel = (view.to - view.from) / width;
        /** @param {number} place the first of a list of counts @param {(x: number, w: number) => void} paint */
        const each = (place, paint) => {
            for (let at = 0; at < width; at++) {
                if (found.counts[place + at] === 0) continue;
                const [x1, x2] = [scale.x(view.from + at * pixel), scale.x(view.from + (at + 1) * pixel)];
                if (x2 >= scale.left && x1 <= scale.right) paint(Math.round(x1), Math.max(Math.ceil(x2 - x1), 1));
            }
        };
        context.save();
        context.beginPath();
        context.rect(scale.left, 0, scale.width, height);
        context.clip();
        context.fillStyle = state.theme.css("evidence");
        each(0, (x, w) => context.fillRect(x, AXIS - TICK, w, TICK));
        for (const row of rows) {
            const place = row.log === log.number && row.track ? tracks.indexOf(row.track.id) : -1;
            if (place < 0) continue;
            const { y, height: high } = drawnIn(row);
            const [bottom, covered] = [y - top + high, coveredAbove(row, scene)];
            if (bottom - LINE > covered) each((place + 1) * width, (x, w) => context.fillRect(x, bottom - LINE, w, LINE));
        }
        const chosen = calls.at ? scale.x(calls.at.time) : NaN;
        if (chosen >= scale.left && chosen <= scale.right) context.fillRect(chosen - CHOSEN / 2, AXIS - 2 * TICK, CHOSEN, 2 * TICK);
        context.restore();
    },
};

addOverlay(marks);

/**
 * @param {unknown[]} one
 * @param {unknown[]} other
 */
function isSame(one, other) {
    return one.every((part, at) => part === other[at]);
}

/**
 * Whether marks that are known of a stretch of time serve for a view: it is within, and not so short that they would be coarse.
 * @param {View} view
 * @param {View} known
 */
function isFine(view, known) {
    return known.from <= view.from && view.to <= known.to && (view.to - view.from) * COARSE >= known.to - known.from;
}

/**
 * The tracks of samples among those that the page has.
 * @param {import("../protocol.js").LogInfo} log
 */
function sampledTracks({ pages }) {
    const tracks = pages.flatMap(({ tracks }) => tracks).filter(({ shape }) => SHAPES.has(shape));
    return tracks.slice(0, MOST_ROWS).map(({ id }) => id);
}
