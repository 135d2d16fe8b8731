// What the parts of one viewer work with.

import { Moving } from "./navigation/moving.js";
import { Selecting } from "./navigation/selecting.js";
import { part } from "./stage.js";

/**
 * @typedef {object} Context
 * @property {import("./stage.js").Stage} stage
 * @property {import("./store.js").Store<import("./state.js").State>} store
 * @property {import("./client.js").Client} client
 * @property {import("./timeline.js").Timeline} timeline
 * @property {import("./tooltip.js").Tooltip} tooltip
 * @property {Moving} moving what is in view
 * @property {Selecting} selecting what is selected on a track
 * @property {(text: string) => void} say tells those who listen
 */

/**
 * @param {Pick<Context, "stage" | "store" | "client" | "timeline" | "tooltip">} viewer
 * @returns {Context}
 */
export function contextOf(viewer) {
    const { stage, store, timeline } = viewer;
    const moving = new Moving(store, timeline);
    const announcer = part(stage, "announcer");
    const say = (/** @type {string} */ text) => void (announcer.textContent = text);
    return { ...viewer, moving, selecting: new Selecting({ ...viewer, moving, say }), say };
}
