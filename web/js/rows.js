// The places of the tracks' rows, from top to bottom, without a list of them: there may be 200 000. Tracks of the same group and shape have
// the same height, so a row is found by dividing.
//
//     y = AXIS   Activity            a group that needs no heading
//                ▾ Capabilities      a heading
//                  Capability 0, 1, …  a run: `count` rows of one height
//                ▸ Sparks            a folded group
//                Heap: not logged    one line for all groups that have no tracks

import { SHAPES } from "./shapes/index.js";
import { PAGE } from "./protocol.js";

/** @typedef {import("./protocol.js").Group} Group */
/** @typedef {import("./protocol.js").Pages} Pages */
/** @typedef {{ group: string, at: number }} Slot the place of a track: its group's key, and its index in the group */

/**
 * Rows of one height, one below the other.
 * @typedef {object} Run
 * @property {"heading" | "tracks" | "absent"} kind a heading is a run of one row; so is the line for groups without tracks
 * @property {Group[]} groups the run's group; for "absent", all groups without tracks
 * @property {number} y from the first row's top, in CSS pixels
 * @property {number} height of each row
 * @property {number} count of the rows
 * @property {number} from index in the group of the first row's track
 * @property {keyof typeof SHAPES | null} shape none for a heading
 * @property {boolean} folded whether a heading's group is folded
 */

/**
 * @typedef {object} Row
 * @property {Run["kind"]} kind of its run
 * @property {Group[]} groups those of its run
 * @property {number} at index of its track in the group
 * @property {Run["shape"]} shape
 * @property {boolean} folded
 * @property {number} y
 * @property {number} height
 */

/**
 * @typedef {object} Layout
 * @property {Run[]} runs
 * @property {number} height of all rows
 * @property {number} grown how much higher than necessary each track's row is
 */

export const AXIS = 26;

/** Room for a button and a line below it. Fingers need more room than a mouse's pointer. */
export const HEADING = globalThis.matchMedia?.("(pointer: coarse)").matches ? 45 : 25;

/** Few rows grow to fill the room, each by at most this much. */
const MOST_GROWN = 66;

/** Space between a row's edge and its drawing; less for the picture of a folded group. */
const INSET = 4;
const TIGHT = 3;

/**
 * The place of the drawing in a row.
 * @param {Pick<Row, "kind" | "y" | "height">} row
 */
export function drawnIn({ kind, y, height }) {
    const inset = kind === "heading" ? TIGHT : INSET;
    return { y: y + inset, height: height - 2 * inset };
}

/**
 * @param {Group[]} groups
 * @param {(group: Group) => boolean} isFolded
 * @param {boolean} finished whether groups without tracks are certain to have none
 * @param {number} [room] the height for all rows
 * @returns {Layout}
 */
export function layOut(groups, isFolded, finished, room = 0) {
    const layout = laidOut(groups, isFolded, finished, 0);
    const rows = layout.runs.reduce((sum, { kind, count }) => sum + (kind === "tracks" ? count : 0), 0);
    const grown = Math.floor(Math.min(Math.max(room - layout.height, 0) / Math.max(rows, 1), MOST_GROWN));
    return grown > 0 ? laidOut(groups, isFolded, finished, grown) : layout;
}

/**
 * @param {Group[]} groups
 * @param {(group: Group) => boolean} isFolded
 * @param {boolean} finished
 * @param {number} grown
 * @returns {Layout}
 */
function laidOut(groups, isFolded, finished, grown) {
    /** @type {Run[]} */
    const runs = [];
    let y = AXIS;
    /** @param {Partial<Run> & Pick<Run, "kind" | "groups" | "height">} run */
    const add = (run) => {
        runs.push({ count: 1, from: 0, shape: null, folded: false, ...run, y });
        y += run.height * (run.count ?? 1);
    };
    const isAbsent = (/** @type {Group} */ { tracks, shown }) => tracks === 0 && !shown;
    for (const group of groups.filter((group) => !isAbsent(group))) {
        const folded = group.headed && isFolded(group);
        if (group.headed) add({ kind: "heading", groups: [group], height: HEADING, folded });
        if (folded) continue;
        let from = 0;
        for (const { shape, tracks: count } of group.parts) {
            add({ kind: "tracks", groups: [group], height: SHAPES[shape].height + grown, count, from, shape });
            from += count;
        }
    }
    const absent = groups.filter(isAbsent);
    if (finished && absent.length > 0) add({ kind: "absent", groups: absent, height: HEADING });
    return { runs, height: y, grown };
}

/**
 * One row of a run.
 * @param {Run} run
 * @param {number} index
 * @returns {Row}
 */
function rowOf({ kind, groups, y, height, from, shape, folded }, index) {
    return { kind, groups, at: from + index, shape, folded, y: y + index * height, height };
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
 * @param {Layout} layout
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
 * The top and bottom of a group's rows, including its heading.
 * @param {Layout} layout
 * @param {string} key
 */
export function extentOfGroup({ runs }, key) {
    const own = runs.filter(({ kind, groups }) => kind !== "absent" && groups[0].key === key);
    const last = own.at(-1);
    return last ? { top: own[0].y, bottom: last.y + last.height * last.count } : null;
}

/**
 * The heading that stays in view above its tracks, and its place: right below the axis, unless the end of the group pushes it away.
 * @param {Layout} layout
 * @param {number} top the height of the rows above the view
 * @returns {Row | null}
 */
export function stuckHeading(layout, top) {
    const line = top + AXIS;
    const heading = layout.runs.findLast(({ kind, y }) => kind === "heading" && y < line);
    const extent = heading && extentOfGroup(layout, heading.groups[0].key);
    if (!heading || !extent || extent.bottom <= line) return null;
    return { ...rowOf(heading, 0), y: Math.min(line, extent.bottom - heading.height) };
}

/**
 * The row of a track: its own, or the heading of its folded group. Null if the group has no such track.
 * @param {Layout} layout
 * @param {Slot} slot
 */
export function rowOfTrack({ runs }, { group, at }) {
    const own = runs.filter(({ kind, groups }) => kind !== "absent" && groups[0].key === group);
    const run = own.find(({ kind, from, count }) => kind === "tracks" && at >= from && at < from + count);
    if (run) return rowOf(run, at - run.from);
    return own[0]?.folded ? rowOf(own[0], 0) : null;
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
        const own = groups[0].key === slot?.group;
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
    for (const { kind, groups, y, height, from, count } of runs) {
        const first = Math.max(0, Math.floor((top - y) / height));
        const end = Math.min(count, Math.ceil((bottom - y) / height));
        if (kind !== "tracks" || first >= end) continue;
        for (let page = Math.floor((from + first) / PAGE) * PAGE; page < from + end; page += PAGE) {
            pages.set(`${groups[0].key} ${page}`, { group: groups[0].key, from: page, count: PAGE });
        }
    }
    return [...pages.values()];
}
