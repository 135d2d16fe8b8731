// What the parts of one viewer work with.

import { Moving } from "./navigation/moving.js";
import { Opener } from "./opener.js";
import { OverviewStrip } from "./overview.js";
import { POINTER } from "./protocol.js";
import { Picture } from "./picture.js";
import { Pictured } from "./pictured.js";
import { Selecting } from "./navigation/selecting.js";
import { Timeline } from "./timeline.js";
import { Tooltip } from "./tooltip.js";
import { chooseRows } from "./screens/choosing.js";
import { part } from "./stage.js";

/**
 * Tells the page, also which opening it is about.
 * @typedef {(event: "ready" | "error" | "rangechange" | "select" | "useropen", detail: object | null, opening: number) => void} Tell
 */

/**
 * @typedef {object} Context
 * @property {import("./stage.js").Stage} stage where the viewer is
 * @property {import("./store.js").Store<import("./state.js").State>} store
 * @property {import("./client.js").Client} client
 * @property {import("./shown-log.js").ShownLog} log the one that is shown, for what is asked of it
 * @property {import("./logs.js").Logs} logs which log is shown, and which is to take its place
 * @property {Opener} opener
 * @property {Picture} picture
 * @property {Timeline} timeline
 * @property {OverviewStrip} overview
 * @property {Tooltip} tooltip
 * @property {Moving} moving what is in view
 * @property {Selecting} selecting what is selected on a track
 * @property {(text: string) => void} say tells those who listen
 * @property {Tell} tell
 */

/**
 * @param {Pick<Context, "stage" | "store" | "client" | "log" | "logs" | "tell">} viewer of which all elements are there
 * @returns {Context}
 */
export function contextOf(viewer) {
    const { stage, store, client, log } = viewer;
    const picture = new Picture();
    const pictured = new Pictured({ store, log, picture }, () => ({ timeline, overview }));
    /** @type {Timeline} */
    const timeline = newTimeline(viewer, picture, pictured);
    const moving = new Moving(store, timeline);
    const overview = new OverviewStrip(part(stage, "overview"), store, moving);
    const tooltip = new Tooltip(part(stage, "tooltip"), ({ log, track, from, to, part, role }) =>
        client.of(log).ask("lookUp", { asker: POINTER, track, from, to, part, role }),
    );
    const announcer = part(stage, "announcer");
    const say = (/** @type {string} */ text) => void (announcer.textContent = text);
    const selecting = new Selecting({ store, timeline, client, moving, say });
    const opener = new Opener({ ...viewer, timeline });
    return { ...viewer, opener, picture, timeline, overview, tooltip, moving, selecting, say };
}

/**
 * @param {Pick<Context, "stage" | "store" | "log">} viewer
 * @param {Picture} picture
 * @param {Pictured} pictured
 */
function newTimeline({ stage, store, log }, picture, pictured) {
    const elements = {
        box: part(stage, "timeline"),
        canvas: /** @type {HTMLCanvasElement} */ (part(stage, "canvas")),
        headers: part(stage, "headers"),
        sizer: part(stage, "sizer"),
    };
    /** @type {import("./timeline.js").Asks} */
    const ask = {
        window: (from, to, width, tracks) => void pictured.window(from, to, width, tracks),
        whole: (tracks) => void pictured.whole(tracks),
        rows: (shown, missing) => log.ask("rows", { shown, missing }),
    };
    return new Timeline(elements, store, picture, ask, stage.own, (group) => chooseRows(stage, group));
}
