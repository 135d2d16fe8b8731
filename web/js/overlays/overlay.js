// An overlay is something drawn over the rows of the timeline, such as the selected range, or arrows between threads.
//
//     start ── follows the state, asks the worker ──▶ show(log, data) ──▶ that log's overlayData ──▶ repainted: axisMarks, draw
//
// An overlay keeps no state of its own, since a page may have several viewers: the data that it asks for is in the log's state, and is
// dropped with that.

import { changeLog } from "../state.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../store.js").Store<State>} Store */
/** @typedef {import("../timeline/scene.js").Scene} Scene */

/**
 * `Data` is what it shows in addition to the state: answers of the worker.
 * @template [Data=undefined]
 * @typedef {object} Overlay
 * @property {string} key unique, and must never change
 * @property {boolean} [isOff] whether it is hidden until it is turned on (`toggleOverlay`)
 * @property {boolean} [screenOnly] whether it is not printed
 * @property {(start: OverlayStart<Data>) => void} [start] called once for each viewer; it follows the state, and asks for data. An answer
 *     may come when something else is selected already; the overlay must check that
 * @property {(scene: Scene, data: Data | undefined) => void} draw called whenever the timeline is painted, with the data last given to
 *     `show` for the log on the screen. Its drawing is clipped to the part that shows time
 * @property {(scene: Scene, data: Data | undefined) => import("../paint/axis.js").Mark[]} [axisMarks] its texts on the axis, the most
 *     important first; those with room are drawn
 */

/**
 * @template Data
 * @typedef {object} OverlayStart
 * @property {Store} store
 * @property {import("../shown-log.js").ShownLog} log the log on the screen, for questions about it
 * @property {import("../client.js").Client} client has all open logs
 * @property {(log: number, data: Data) => void} show sets the data to draw for a log
 */

/**
 * All overlays, from the lowest to the highest, in the order of `index.js`.
 * @type {Overlay<any>[]}
 */
export const OVERLAYS = [];

/**
 * Registers an overlay: each overlay's file calls this. Only `index.js` imports those files, so it sets their order.
 * @param {Overlay<any>} overlay
 */
export function addOverlay(overlay) {
    OVERLAYS.push(overlay);
}

/**
 * Starts all overlays.
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
 * Draws the overlays that are on.
 * @param {Overlay<any>[]} overlays from the lowest to the highest
 * @param {Scene} scene
 */
export function drawOverlays(overlays, scene) {
    for (const { key, draw } of shownOf(overlays, scene)) draw(scene, scene.log.overlayData[key]);
}

/**
 * Their texts on the axis, the most important first: those of the highest overlay, the pointer, come first.
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
 * Whether an overlay is on. An overlay that asks for much data should ask only while this is true.
 * @param {Pick<Overlay<any>, "key" | "isOff">} overlay
 * @param {Pick<State, "overlaysOn">} state
 */
export function isOn({ key, isOff = false }, { overlaysOn }) {
    return overlaysOn[key] ?? !isOff;
}

/**
 * Whether the overlay with a key is on.
 * @param {string} key
 * @param {Pick<State, "overlaysOn">} state
 */
export function isOnByKey(key, state) {
    const overlay = OVERLAYS.find((overlay) => overlay.key === key);
    return overlay !== undefined && isOn(overlay, state);
}

/**
 * Turns an overlay on or off: for its command.
 * @param {Store} store
 * @param {string} key the overlay's
 */
export function toggleOverlay(store, key) {
    const overlay = OVERLAYS.find((overlay) => overlay.key === key);
    if (!overlay) throw new Error(`no overlay ${key}`);
    const { overlaysOn } = store.value;
    store.set({ overlaysOn: { ...overlaysOn, [key]: !isOn(overlay, store.value) } });
}
