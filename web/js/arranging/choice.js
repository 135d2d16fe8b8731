// How the user has arranged the rows of a log: which are pinned, hidden and moved, how high they are, and which alone are shown. The worker
// knows nothing of it but where the tracks are that it names, so that a group of 100 000 threads is never listed.
//
//     pinned   stays at the top, and is not among its group's rows
//     hidden   is among no rows, until it is shown again
//     moved    stands beside the place of another row
//     only     alone these are shown, for one question
//     text     only rows with it in their names, or in the name of their group

/** @typedef {number | string} RowName a track's number, or a group's key */
/** @typedef {(typeof DENSITIES)[number]} Density the height of a row without more room, in CSS pixels */

/**
 * Rows that were moved to a place: right before or after where another row is when nothing is moved, even if that row itself has been moved
 * away. So it does not matter in which order rows were moved.
 * @typedef {object} Moved
 * @property {RowName} beside that row, of the same group
 * @property {boolean} after whether they come after it
 * @property {readonly RowName[]} rows from top to bottom
 */

/**
 * @typedef {object} RowsChoice
 * @property {readonly number[]} pinned from top to bottom
 * @property {readonly RowName[]} hidden
 * @property {readonly Moved[]} moved
 * @property {readonly (readonly [RowName, Density])[]} heights of single rows, and of all rows of groups
 * @property {Density | null} height of all other rows; null if few rows grow to fill the room
 * @property {string} text empty for all rows
 * @property {readonly RowName[] | null} only null for all rows
 */

export const DENSITIES = /** @type {const} */ ([18, 30, 48]);

/** The names of the heights. @type {Record<Density, string>} */
export const DENSITY_NAMES = { 18: "low", 30: "medium", 48: "high" };

/** Most rows that a choice names: each is looked up whenever more of the log is known. */
export const MOST = 500;

/** @type {RowsChoice} */
const FIRST = { pinned: [], hidden: [], moved: [], heights: [], height: null, text: "", only: null };

/** @returns {RowsChoice} the choice at first: all rows, in the log's order */
export function firstRowsChoice() {
    return FIRST;
}

/**
 * Whether a row is one of some.
 * @param {readonly RowName[]} rows
 * @param {RowName} row
 */
const has = (rows, row) => rows.includes(row);

/**
 * @template {RowName} R
 * @param {readonly R[]} rows
 * @param {RowName} row
 */
const without = (rows, row) => rows.filter((other) => other !== row);

/**
 * Pins a track below the others; it is shown if it was hidden.
 * @param {RowsChoice} choice
 * @param {number} track
 * @returns {RowsChoice}
 */
export function pin(choice, track) {
    return { ...choice, pinned: [...without(choice.pinned, track), track], hidden: without(choice.hidden, track) };
}

/**
 * @param {RowsChoice} choice
 * @param {number} track
 * @returns {RowsChoice}
 */
export function unpin(choice, track) {
    return { ...choice, pinned: without(choice.pinned, track) };
}

/**
 * Hides a track or a group. A pinned one is no longer pinned then.
 * @param {RowsChoice} choice
 * @param {RowName} row
 * @returns {RowsChoice}
 */
export function hide(choice, row) {
    return { ...choice, hidden: [...without(choice.hidden, row), row], pinned: without(choice.pinned, row) };
}

/**
 * @param {RowsChoice} choice
 * @param {RowName} row
 * @returns {RowsChoice}
 */
export function show(choice, row) {
    return { ...choice, hidden: without(choice.hidden, row) };
}

/**
 * @param {RowsChoice} choice
 * @returns {RowsChoice}
 */
export function showAllHidden(choice) {
    return { ...choice, hidden: [] };
}

/**
 * Moves a row right before or after another one: of its group; a group among the groups; a pinned row among the pinned ones.
 * @param {RowsChoice} choice
 * @param {RowName} row
 * @param {RowName} beside
 * @param {boolean} after
 * @returns {RowsChoice}
 */
export function move(choice, row, beside, after) {
    if (row === beside) return choice;
    if (has(choice.pinned, row) && has(choice.pinned, beside)) {
        const pinned = inserted(without(choice.pinned, row), /** @type {number} */ (row), beside, after);
        return { ...choice, pinned };
    }
    const left = choice.moved.map((moved) => ({ ...moved, rows: without(moved.rows, row) }));
    const host = left.find(({ rows }) => has(rows, beside));
    if (host) host.rows = inserted(host.rows, row, beside, after);
    else {
        const own = left.find((moved) => moved.beside === beside && moved.after === after);
        const rows = own?.rows ?? [];
        const added = { beside, after, rows: after ? [row, ...rows] : [...rows, row] };
        if (own) left[left.indexOf(own)] = added;
        else left.push(added);
    }
    return { ...choice, moved: left.filter(({ rows }) => rows.length > 0) };
}

/**
 * @template {RowName} R
 * @param {readonly R[]} rows
 * @param {R} row
 * @param {RowName} beside one of these
 * @param {boolean} after
 * @returns {R[]}
 */
function inserted(rows, row, beside, after) {
    return rows.flatMap((other) => (other !== beside ? [other] : after ? [other, row] : [row, other]));
}

/**
 * @param {RowsChoice} choice
 * @param {RowName | null} row null for all rows: then none has a height of its own
 * @param {Density | null} height null for the height of the others
 * @returns {RowsChoice}
 */
export function setHeight(choice, row, height) {
    if (row === null) return { ...choice, height, heights: [] };
    const others = choice.heights.filter(([other]) => other !== row);
    return { ...choice, heights: height === null ? others : [...others, [row, height]] };
}

/**
 * @param {RowsChoice} choice
 * @param {readonly RowName[] | null} only null for all rows
 * @returns {RowsChoice}
 */
export function onlyThese(choice, only) {
    return { ...choice, only: only && only.length > 0 ? only : null };
}

/**
 * All rows are shown again that are not hidden.
 * @param {RowsChoice} choice
 * @returns {RowsChoice}
 */
export function widened(choice) {
    return { ...choice, only: null, text: "" };
}

/**
 * Whether only some rows are shown, for one question.
 * @param {Pick<RowsChoice, "only" | "text">} choice
 */
export function isNarrowed({ only, text }) {
    return only !== null || text !== "";
}

/**
 * All rows that a choice names, once each.
 * @param {RowsChoice} choice
 * @returns {RowName[]}
 */
export function rowsIn({ pinned, hidden, moved, heights, only }) {
    const placed = moved.flatMap(({ beside, rows }) => [beside, ...rows]);
    return [...new Set([...pinned, ...hidden, ...placed, ...heights.map(([row]) => row), ...(only ?? [])])];
}

/**
 * The tracks among those.
 * @param {RowsChoice} choice
 */
export function tracksIn(choice) {
    return rowsIn(choice)
        .filter((row) => typeof row === "number")
        .slice(0, MOST);
}

/**
 * The choice with other names for its rows; those without one are left out.
 * @param {RowsChoice} choice
 * @param {(row: RowName) => RowName | null} nameOf
 * @returns {RowsChoice}
 */
export function renamed(choice, nameOf) {
    const all = (/** @type {readonly RowName[]} */ rows) => rows.flatMap((row) => nameOf(row) ?? []);
    const only = choice.only && all(choice.only);
    return {
        ...choice,
        pinned: /** @type {number[]} */ (all(choice.pinned)),
        hidden: all(choice.hidden),
        moved: choice.moved.flatMap(({ beside, after, rows }) => {
            const [besides, others] = [all([beside]), all(rows)];
            return besides.length > 0 && others.length > 0 ? [{ beside: besides[0], after, rows: others }] : [];
        }),
        heights: choice.heights.flatMap(([row, height]) => all([row]).map((name) => /** @type {const} */ ([name, height]))),
        only: only?.length ? only : null,
    };
}
