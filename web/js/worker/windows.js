// Answering with pictures: of a window, and of the whole log.

import { extentOf } from "../viewport.js";
import { eachOf } from "./image.js";
import { advance, work } from "./jobs.js";
import { breathe } from "./reading.js";

/** How long the page may wait for an exact picture before it is given a coarse one, in ms: making either takes a part of
 * that, and a file on the machine's own disk is read sooner. */
const SOON = 80;

/** @typedef {import("./opening.js").Opening} Opening */
/** @typedef {import("../protocol.js").Strips} Strips */

/**
 * A window, exactly if that is worth reading its part of the file again. If that takes long it is shown as well as can be meanwhile;
 * the page has what was shown before.
 * @param {Opening} opening
 * @param {import("../protocol.js").WindowWish} wish
 * @param {import("./answers.js").Call<"window">} call
 * @returns {Promise<Strips | null>}
 */
export async function window(opening, { from, to, width, tracks: alike, bands }, { isOver, meanwhile }) {
    const { log, pictures } = opening;
    const tracks = eachOf(alike);
    const ids = Float64Array.from(tracks, ({ id }) => id);
    // Newer ones may wait behind this one: then it is not worth its work.
    await breathe();
    if (isOver()) return null;
    if (opening.isRead && log.needs_replay(ids)) opening.followThreads();
    const plan = { ...log.plan(from, to, width, ids, bands.order, bands.count), width };
    let isSupplied = false;
    /** @param {boolean} isLast whether no better one comes */
    const picture = (isLast) => pictures.make(plan, tracks, () => isOver() || isSupplied !== isLast);
    const early = setTimeout(async () => {
        const strips = await picture(false);
        if (strips) meanwhile(strips);
    }, SOON);
    /** Reads what it takes; of what cannot be read, the page is told, and has the picture as well as it can be. */
    const supply = () => advance(opening, plan.job, isOver).catch((error) => opening.parts.failed(error));
    try {
        if (opening.isRead) await supply();
        clearTimeout(early);
        isSupplied = true;
        const strips = await picture(true);
        // While it was made, others may have needed the room of what had been read for it.
        if (!opening.isRead || !strips || strips.exact || isOver() || log.job(plan.job).reads.length === 0) return strips;
        strips.image?.close();
        await supply();
        return await picture(true);
    } finally {
        clearTimeout(early);
        if (!opening.isClosed) log.drop_job(plan.job);
    }
}

/**
 * The whole log, exactly if it is small and has been read.
 * @param {Opening} opening
 * @param {import("../protocol.js").WholeWish} wish
 * @param {import("./answers.js").Call<"whole">} call
 * @returns {Promise<Strips | null>}
 */
export async function whole(opening, { width, tracks, bands }, { isOver }) {
    const { log, pictures, isRead } = opening;
    const extent = extentOf(log.status());
    if (!extent) return null;
    const plan = { ...log.plan(extent[0], extent[1], width, new Float64Array(), bands.order, bands.count), width };
    const picture = () => pictures.make(plan, eachOf(tracks), isOver);
    return isRead ? work(opening, plan.job, isOver, picture) : picture().finally(() => opening.isClosed || log.drop_job(plan.job));
}
