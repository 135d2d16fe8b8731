// The places of the tracks' rows, from top to bottom, without a list of them: there may be 200 000. Tracks of the same group and shape have
// the same height, so a row is found by dividing.
//
//     y = AXIS   Activity            a group that needs no heading
//                ▾ Capabilities      a heading
//                  Capability 0, 1, …  a run: `count` rows of one height
//                ▸ Sparks            a folded group
//                Heap: not logged    one line for all groups that have no tracks
//                Show hidden (3)     if not all rows are shown
//
// Pinned rows come first. They stay in view while the others scroll under them, as under the axis.

import { plainPlan } from "./arranging/plan.js";
import { SHAPES } from "./shapes/index.js";
import { PAGE } from "./protocol.js";

/** @typedef {import("./protocol.js").Group} Group */
/** @typedef {import("./protocol.js").Pages} Pages */
/** @typedef {import("./arranging/plan.js").Plan} Plan */
/** @typedef {import("./arranging/choice.js").Density} Density */
/** @typedef {{ group: string, at: number }} Slot the place of a track: its group's key, and its index in the group */

/**
 * Rows of one height, one below the other.
 * @typedef {object} Run
 * @property {"heading" | "tracks" | "absent" | "foot"} kind a heading is a run of one row; so is the line for groups without tracks, and
 *     the last one, which says which rows are not shown
 * @property {Group[]} groups the run's group; for "absent", all groups without tracks; for "foot", none
 * @property {number} y from the first row's top, in CSS pixels
 * @property {number} height of each row
 * @property {number} count of the rows
 * @property {number} from index in the group of the first row's track
 * @property {keyof typeof SHAPES | null} shape none for a heading
 * @property {boolean} folded whether a heading's group is folded
 * @property {boolean} pinned whether it stays in view while the others scroll
 * @property {boolean} chosen whether the user has chosen its height
 */

/**
 * @typedef {object} Row
 * @property {Run["kind"]} kind of its run
 * @property {Group[]} groups those of its run
 * @property {number} at index of its track in the group
 * @property {Run["shape"]} shape
 * @property {boolean} folded
 * @property {boolean} pinned
 * @property {number} y
 * @property {number} height
 */

/**
 * @typedef {object} Layout
 * @property {Run[]} runs the pinned ones first
 * @property {number} head the height of what stays in view above the rows that scroll: the axis and the pinned rows
 * @property {number} height of all rows
 * @property {number} grown how much higher than necessary each row is whose height the user has not chosen
 * @property {Plan} plan what it was made from
 */

export const AXIS = 26;

/** @type {Layout} */
export const NO_ROWS = { runs: [], head: AXIS, height: AXIS, grown: 0, plan: plainPlan([]) };

/** Room for a button and a line below it. Fingers need more room than a mouse's pointer. */
export const HEADING = globalThis.matchMedia?.("(pointer: coarse)").matches ? 45 : 25;

/** Few rows grow to fill the room, each by at most this much. */
const MOST_GROWN = 66;

/** Pinned rows take at most this share of the room below the axis: the others must have some. */
const MOST_PINNED = 0.6;

/** Space between a row's edge and its drawing; less in low rows, and for the picture of a folded group. */
const INSET = 4;
const TIGHT = 3;

/** Rows of less height are low. */
const LOW = 24;

/**
 * The place of the drawing in a row.
 * @param {Pick<Row, "kind" | "y" | "height">} row
 */
export function drawnIn({ kind, y, height }) {
    const inset = kind === "heading" || height < LOW ? TIGHT : INSET;
    return { y: y + inset, height: height - 2 * inset };
}

/**
 * The height of a row of a shape, where the height of most rows is a density.
 * @param {keyof typeof SHAPES} shape
 * @param {Density | null} density null if the user has chosen none
 */
function heightOf(shape, density) {
    const { height } = SHAPES[shape];
    if (density === null) return height;
    return Math.max(Math.round((height * density) / SHAPES.states.height), LOWEST);
}

/** The least height of a row. @type {Density} */
const LOWEST = 18;

/**
 * @param {Group[]} groups
 * @param {(group: Group) => boolean} isFolded
 * @param {boolean} finished whether groups without tracks are certain to have none
 * @param {number} [room] the height for all rows
 * @param {Plan} [plan] which rows there are
 * @returns {Layout}
 */
export function layOut(groups, isFolded, finished, room = 0, plan = plainPlan(groups)) {
    const layout = laidOut(plan, isFolded, finished, room, 0);
    const rows = layout.runs.reduce((sum, { kind, count, chosen }) => sum + (kind === "tracks" && !chosen ? count : 0), 0);
    const grown = Math.floor(Math.min(Math.max(room - layout.height, 0) / Math.max(rows, 1), MOST_GROWN));
    return grown > 0 ? laidOut(plan, isFolded, finished, room, grown) : layout;
}

/**
 * @param {Plan} plan
 * @param {(group: Group) => boolean} isFolded
 * @param {boolean} finished
 * @param {number} room
 * @param {number} grown
 * @returns {Layout}
 */
function laidOut(plan, isFolded, finished, room, grown) {
    /** @type {Run[]} */
    const runs = [];
    let y = AXIS;
    /** @param {Partial<Run> & Pick<Run, "kind" | "groups" | "height">} run */
    const add = (run) => {
        runs.push({ count: 1, from: 0, shape: null, folded: false, pinned: false, chosen: false, ...run, y });
        y += run.height * (run.count ?? 1);
    };
    /** @param {Group} group @param {import("./arranging/plan.js").Piece} piece */
    const addTracks = (group, { from, count, density }, pinned = false) => {
        for (const part of partsOf(group, from, count)) {
            const height = heightOf(part.shape, density) + (density === null ? grown : 0);
            add({ kind: "tracks", groups: [group], height, ...part, pinned, chosen: density !== null });
        }
    };
    const fits = pinnedThatFit(plan, room);
    for (const { group, at, density } of fits) addTracks(group, { from: at, count: 1, density }, true);
    const head = y;
    // Pinned rows without room stay in their groups.
    const all = fits.length < plan.pinned.length ? withPinned(plan, plan.pinned.slice(fits.length)) : plan.groups;
    const isAbsent = (/** @type {Group} */ { tracks, shown }) => tracks === 0 && !shown;
    for (const { group, pieces } of all.filter(({ group }) => !isAbsent(group))) {
        const folded = group.headed && isFolded(group);
        if (group.headed) add({ kind: "heading", groups: [group], height: HEADING, folded });
        if (!folded) for (const piece of pieces) addTracks(group, piece);
    }
    const absent = all.map(({ group }) => group).filter(isAbsent);
    if (finished && absent.length > 0) add({ kind: "absent", groups: absent, height: HEADING });
    if (plan.hidden > 0 || plan.narrowed) add({ kind: "foot", groups: [], height: HEADING });
    return { runs, head, height: y, grown, plan };
}

/**
 * The first pinned rows, as many as leave room for others.
 * @param {Plan} plan
 * @param {number} room
 */
function pinnedThatFit({ pinned }, room) {
    // Without a height to fit into, as before the first painting, all do.
    const most = room > 0 ? (room - AXIS) * MOST_PINNED : Number.POSITIVE_INFINITY;
    let sum = 0;
    const end = pinned.findIndex(({ group, at, density }) => {
        const [part] = partsOf(group, at, 1);
        sum += part ? heightOf(part.shape, density) : 0;
        return sum > most;
    });
    return end < 0 ? pinned : pinned.slice(0, end);
}

/**
 * The groups of a plan with some pinned rows, each at the end of its group.
 * @param {Plan} plan
 * @param {Plan["pinned"]} left
 */
function withPinned({ groups }, left) {
    const planned = groups.map((one) => {
        const own = left.filter(({ group }) => group.key === one.group.key);
        return { ...one, pieces: [...one.pieces, ...own.map(({ at, density }) => ({ from: at, count: 1, density }))] };
    });
    const others = left.filter(({ group }) => !groups.some((one) => one.group.key === group.key));
    const alone = others.map(({ group, at, density }) => ({ group, pieces: [{ from: at, count: 1, density }], shown: 1, left: 0 }));
    return [...planned, ...alone];
}

/**
 * Some tracks of a group, by their shapes.
 * @param {Group} group
 * @param {number} from
 * @param {number} count
 * @returns {{ shape: keyof typeof SHAPES, from: number, count: number }[]}
 */
function partsOf({ parts }, from, count) {
    const found = [];
    let before = 0;
    for (const { shape, tracks } of parts) {
        const [first, end] = [Math.max(from, before), Math.min(from + count, before + tracks)];
        if (first < end) found.push({ shape, from: first, count: end - first });
        before += tracks;
    }
    return found;
}

/**
 * One row of a run.
 * @param {Run} run
 * @param {number} index
 * @returns {Row}
 */
function rowOf({ kind, groups, y, height, from, shape, folded, pinned }, index) {
    return { kind, groups, at: from + index, shape, folded, pinned, y: y + index * height, height };
}

/**
 * The row at a height; null above the first or below the last.
 * @param {Layout} layout
 * @param {number} y
 */
export function rowAt({ runs }, y) {
    const run = runs.find((run) => y >= run.y && y < run.y + run.height * run.count);
    return run ? rowOf(run, Math.floor((y - run.y) / run.height)) : null;
}

/**
 * The rows between two heights.
 * @param {Pick<Layout, "runs">} layout
 * @param {number} top
 * @param {number} bottom
 * @returns {Row[]}
 */
export function rowsBetween({ runs }, top, bottom) {
    return runs.flatMap((run) => {
        const first = Math.max(0, Math.floor((top - run.y) / run.height));
        const end = Math.min(run.count, Math.ceil((bottom - run.y) / run.height));
        return Array.from({ length: Math.max(end - first, 0) }, (_, index) => rowOf(run, first + index));
    });
}

/**
 * The rows in view: the pinned ones at their places above the others, with all heights among the rows that scroll.
 * @param {Layout} layout
 * @param {number} top the height of the rows above the view
 * @param {number} from
 * @param {number} to
 * @returns {Row[]}
 */
export function rowsInView({ runs, head }, top, from, to) {
    const pinned = runs.filter(({ pinned }) => pinned).map((run) => ({ ...rowOf(run, 0), y: run.y + top }));
    const others = runs.filter(({ pinned }) => !pinned);
    return [...pinned, ...rowsBetween({ runs: others }, Math.max(from, head), to)];
}

/**
 * Whether rows are of a group, below its heading or that itself.
 * @param {Run} run
 * @param {string} key the group's
 */
const isOf = ({ kind, groups, pinned }, key) => (kind === "heading" || kind === "tracks") && groups[0].key === key && !pinned;

/**
 * The top and bottom of a group's rows, including its heading.
 * @param {Layout} layout
 * @param {string} key
 */
export function extentOfGroup({ runs }, key) {
    const own = runs.filter((run) => isOf(run, key));
    const last = own.at(-1);
    return last ? { top: own[0].y, bottom: last.y + last.height * last.count } : null;
}

/**
 * The heading that stays in view above its tracks, and its place: right below the axis and the pinned rows, unless the end of the group
 * pushes it away.
 * @param {Layout} layout
 * @param {number} top the height of the rows above the view
 * @returns {Row | null}
 */
export function stuckHeading(layout, top) {
    const line = top + layout.head;
    const heading = layout.runs.findLast(({ kind, y }) => kind === "heading" && y < line);
    const extent = heading && extentOfGroup(layout, heading.groups[0].key);
    if (!heading || !extent || extent.bottom <= line) return null;
    return { ...rowOf(heading, 0), y: Math.min(line, extent.bottom - heading.height) };
}

/**
 * The row of a track: its own, or the heading of its folded group. Null if the group has no such track, or the user has hidden it.
 * @param {Layout} layout
 * @param {Slot} slot
 * @param {number} [top] the height of the rows above the view, for a row that stays in view
 */
export function rowOfTrack({ runs, plan }, { group, at }, top = 0) {
    const own = runs.filter((run) => isOf(run, group) || (run.pinned && run.groups[0].key === group));
    const run = own.find(({ kind, from, count }) => kind === "tracks" && at >= from && at < from + count);
    if (run) return run.pinned ? { ...rowOf(run, at - run.from), y: run.y + top } : rowOf(run, at - run.from);
    const heading = own.find(({ folded }) => folded);
    const planned = heading && plan.groups.find((one) => one.group.key === group);
    const isAmong = planned?.pieces.some(({ from, count }) => at >= from && at < from + count);
    return heading && isAmong ? rowOf(heading, 0) : null;
}

/**
 * The row `by` rows below a track's (above, if negative), counting only rows that keys step through. Folded groups are passed over.
 * @param {Layout} layout
 * @param {Slot | null} slot null for the place before the first one
 * @param {number} by
 */
export function rowBeside({ runs }, slot, by) {
    let [total, here] = [0, -1];
    for (const { kind, groups, from, count, shape, folded } of runs) {
        const own = groups[0]?.key === slot?.group;
        // A folded group is between the rows around it.
        if (kind === "heading" && own && folded) here = total - 0.5;
        if (!shape || !SHAPES[shape].stepped) continue;
        if (own && slot.at >= from && slot.at < from + count) here = total + slot.at - from;
        total += count;
    }
    let left = Math.min(Math.max(by > 0 ? Math.floor(here + by) : Math.ceil(here + by), 0), total - 1);
    for (const run of runs) {
        if (!run.shape || !SHAPES[run.shape].stepped) continue;
        if (left < run.count) return left < 0 ? null : rowOf(run, left);
        left -= run.count;
    }
    return null;
}

/**
 * The pages of the tracks between two heights.
 * @param {Layout} layout
 * @param {number} top
 * @param {number} bottom
 * @returns {Pages[]}
 */
export function pagesBetween({ runs }, top, bottom) {
    /** @type {Map<string, Pages>} */
    const pages = new Map();
    for (const { kind, groups, y, height, from, count, pinned } of runs) {
        const first = Math.max(0, Math.floor((top - y) / height));
        const end = Math.min(count, Math.ceil((bottom - y) / height));
        // Pinned tracks come with each report.
        if (kind !== "tracks" || pinned || first >= end) continue;
        for (let page = Math.floor((from + first) / PAGE) * PAGE; page < from + end; page += PAGE) {
            pages.set(`${groups[0].key} ${page}`, { group: groups[0].key, from: page, count: PAGE });
        }
    }
    return [...pages.values()];
}
