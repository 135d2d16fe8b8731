// Answering with pictures: of a window, and of the whole log.

import { extentOf } from "../viewport.js";
import { eachOf } from "./image.js";
import { supply } from "./jobs.js";
import { breathe } from "./reading.js";

/** How long the page may wait for an exact picture before it is given a coarse one, in ms: making either takes a part of
 * that, and a file on the machine's own disk is read sooner. */
const SOON = 80;

/** @typedef {import("./opening.js").Opening} Opening */

/**
 * A window, exactly if that is worth reading its part of the file again. If that takes long it is shown as well as can be meanwhile;
 * the page has what was shown before.
 * @param {Opening} opening
 * @param {import("../protocol.js").WindowWish} wish
 * @param {import("./answers.js").Call<"window">} call
 * @returns {Promise<import("../protocol.js").Strips | null>}
 */
export async function window(opening, { from, to, width, tracks: alike, bands }, { isOver, meanwhile }) {
    const { log, pictures } = opening;
    const tracks = eachOf(alike);
    // Newer ones may wait behind this one: then it is not worth its work.
    await breathe();
    if (isOver()) return null;
    const missing = () => {
        if (log.show_tracks(Float64Array.from(tracks, ({ id }) => id)) && opening.isRead) opening.followThreads();
        return log.plan(from, to, width).reads;
    };
    let isSupplied = false;
    /** @param {boolean} isLast whether no better one comes */
    const picture = (isLast) => pictures.make({ from, to, width, tracks, bands }, () => isOver() || isSupplied !== isLast);
    /** Whether all that it needs is there. */
    const supplyAll = async () => {
        try {
            return await supply(opening, missing, isOver);
        } catch (error) {
            opening.parts.failed(error);
            return false;
        }
    };
    const early = setTimeout(async () => {
        const strips = await picture(false);
        if (strips) meanwhile(strips);
    }, SOON);
    const isComplete = opening.isRead && (await supplyAll());
    clearTimeout(early);
    isSupplied = true;
    // Where it cannot be read again, as well as can be: somebody waits for it.
    const strips = await picture(true);
    // While it was made, others may have needed the room of what had been read for it.
    if (!isComplete || !strips || strips.exact || missing().length === 0) return strips;
    strips.image?.close();
    await supplyAll();
    return picture(true);
}

/**
 * The whole log, exactly if it is small and has been read.
 * @param {Opening} opening
 * @param {import("../protocol.js").WholeWish} wish
 * @param {import("./answers.js").Call<"whole">} call
 * @returns {Promise<import("../protocol.js").Strips | null>}
 */
export async function whole(opening, { width, tracks, bands }, { isOver }) {
    const { log, pictures } = opening;
    const extent = extentOf(log.status());
    if (!extent) return null;
    const [from, to] = extent;
    const missing = () => {
        log.show_tracks(new Float64Array());
        return log.plan(from, to, width).reads;
    };
    if (opening.isRead) await supply(opening, missing, isOver);
    return pictures.make({ from, to, width, tracks: eachOf(tracks), bands }, isOver);
}
