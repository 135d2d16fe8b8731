// The context: everything that the parts of one viewer work with.

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
import { showNote } from "./note.js";

/**
 * Reports to the page, with the number of the opening that it is about.
 * @typedef {(event: "ready" | "error" | "rangechange" | "select" | "useropen", detail: object | null, opening: number) => void} Tell
 */

/**
 * @typedef {object} Context
 * @property {import("./stage.js").Stage} stage where the viewer is
 * @property {import("./store.js").Store<import("./state.js").State>} store
 * @property {import("./client.js").Client} client
 * @property {import("./shown-log.js").ShownLog} log the log on the screen, for questions about it
 * @property {import("./logs.js").Logs} logs knows which log is shown, and which one will replace it
 * @property {Opener} opener
 * @property {Picture} picture
 * @property {Timeline} timeline
 * @property {OverviewStrip} overview
 * @property {Tooltip} tooltip
 * @property {Moving} moving changes the time in view
 * @property {Selecting} selecting selects something on a track
 * @property {(text: string) => void} say announces a text to screen readers
 * @property {(text: string) => void} note announces a text, and shows it for a moment
 * @property {Tell} tell
 */

/**
 * @param {Pick<Context, "stage" | "store" | "client" | "log" | "logs" | "tell">} viewer whose elements all exist
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
    const noted = part(stage, "noted");
    const note = (/** @type {string} */ text) => {
        say(text);
        showNote(noted, text);
    };
    const selecting = new Selecting({ store, timeline, client, moving, say, note });
    const opener = new Opener({ ...viewer, timeline });
    return { ...viewer, opener, picture, timeline, overview, tooltip, moving, selecting, say, note };
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
