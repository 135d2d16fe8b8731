// What an overlay is: something drawn over the rows of the timeline, such as the selected range, or arrows between threads.
//
//     start ── follows the state, asks the worker ──▶ show(log, data) ──▶ that log's overlayData ──▶ repainted: axisMarks, draw
//
// An overlay keeps nothing itself, since a page may have several viewers: what it has asked for is in the log's state, and goes with it.

import { changeLog } from "../state.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../store.js").Store<State>} Store */
/** @typedef {import("../timeline/scene.js").Scene} Scene */

/**
 * `Data` is what it shows beside the state: what the worker has answered.
 * @template [Data=undefined]
 * @typedef {object} Overlay
 * @property {string} key its own; it never changes
 * @property {boolean} [isOff] whether it is shown only once it has been turned on (`turnOverlay`)
 * @property {boolean} [screenOnly] whether it is left out on paper
 * @property {(start: OverlayStart<Data>) => void} [start] is called once for each viewer: follows the state, and asks for data. What comes
 *     late may be of what is no longer selected; the overlay has to tell
 * @property {(scene: Scene, data: Data | undefined) => void} draw is called whenever the timeline is painted, with what was given to `show`
 *     last for the log that is shown. What it draws is cut off where time is not shown
 * @property {(scene: Scene, data: Data | undefined) => import("../paint/axis.js").Mark[]} [axisMarks] what it writes on the axis, the most
 *     important first, as far as there is room
 */

/**
 * @template Data
 * @typedef {object} OverlayStart
 * @property {Store} store
 * @property {import("../shown-log.js").ShownLog} log the one that is shown, for what is asked of it
 * @property {import("../client.js").Client} client has every log that is open
 * @property {(log: number, data: Data) => void} show has this drawn of a log from now on
 */

/**
 * All of them, from the lowest to the highest: as `index.js` has them.
 * @type {Overlay<any>[]}
 */
export const OVERLAYS = [];

/**
 * Each file of an overlay calls this. Only `index.js` imports those files: it has their order.
 * @param {Overlay<any>} overlay
 */
export function addOverlay(overlay) {
    OVERLAYS.push(overlay);
}

/**
 * Lets overlays ask for what they show.
 * @param {Overlay<any>[]} overlays
 * @param {Pick<OverlayStart<any>, "store" | "log" | "client">} viewer
 */
export function startOverlays(overlays, { store, log, client }) {
    for (const { key, start } of overlays) {
        /** @type {OverlayStart<unknown>["show"]} */
        const show = (log, data) => changeLog(store, log, { overlayData: { ...store.value.logs[log]?.overlayData, [key]: data } });
        start?.({ store, log, client, show });
    }
}

/**
 * Draws those that are shown.
 * @param {Overlay<any>[]} overlays from the lowest to the highest
 * @param {Scene} scene
 */
export function drawOverlays(overlays, scene) {
    for (const { key, draw } of shownOf(overlays, scene)) draw(scene, scene.log.overlayData[key]);
}

/**
 * What they write on the axis, the most important first: what lies above all, the pointer, comes before what lies below.
 * @param {Overlay<any>[]} overlays
 * @param {Scene} scene
 */
export function marksOf(overlays, scene) {
    return shownOf(overlays, scene)
        .toReversed()
        .flatMap(({ key, axisMarks }) => axisMarks?.(scene, scene.log.overlayData[key]) ?? []);
}

/**
 * @param {Overlay<any>[]} overlays
 * @param {Pick<Scene, "state" | "printed">} scene
 */
function shownOf(overlays, { state, printed }) {
    return overlays.filter((overlay) => isOn(overlay, state) && !(printed && overlay.screenOnly));
}

/**
 * Whether an overlay is shown. One that asks for much follows this, and asks only then.
 * @param {Pick<Overlay<any>, "key" | "isOff">} overlay
 * @param {Pick<State, "overlaysOn">} state
 */
export function isOn({ key, isOff = false }, { overlaysOn }) {
    return overlaysOn[key] ?? !isOff;
}

/**
 * Turns an overlay on, or off again: for the command that does so.
 * @param {Store} store
 * @param {string} key the overlay's
 */
export function turnOverlay(store, key) {
    const overlay = OVERLAYS.find((overlay) => overlay.key === key);
    if (!overlay) throw new Error(`no overlay ${key}`);
    const { overlaysOn } = store.value;
    store.set({ overlaysOn: { ...overlaysOn, [key]: !isOn(overlay, store.value) } });
}
