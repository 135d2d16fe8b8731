// Answers the questions for pictures: of a window, and of the whole log.

import { extentOf } from "../viewport.js";
import { eachOf } from "./image.js";
import { advance, work } from "./jobs.js";
import { breathe } from "./reading.js";

/**
 * If an exact picture takes longer than this, in ms, the page gets a coarse one first. Making either takes part of that time; a file on a
 * local disk is read sooner.
 */
const SOON = 80;

/** @typedef {import("./opening.js").Opening} Opening */
/** @typedef {import("../protocol.js").Strips} Strips */

/**
 * A picture of a window; exact if that is worth reading its part of the file again. If reading takes long, a coarse picture is sent
 * meanwhile; until then, the page has the last one.
 * @param {Opening} opening
 * @param {import("../wishes.js").WindowWish} wish
 * @param {import("./answers.js").Call<"window" | "cells">} call
 * @returns {Promise<Strips | null>}
 */
export async function window(opening, { from, to, width, tracks: alike, bands }, { isOver, meanwhile }) {
    const { log, pictures } = opening;
    const tracks = eachOf(alike);
    const ids = Float64Array.from(tracks, ({ id }) => id);
    // Newer questions may wait after this one: then it is not worth answering.
    await breathe();
    if (isOver()) return null;
    if (opening.isRead && log.needs_replay(ids)) opening.followThreads();
    const plan = { ...log.plan(from, to, width, ids, bands.order, bands.count), width };
    let isSupplied = false;
    /** @param {boolean} isLast whether no better picture follows */
    const picture = (isLast) => pictures.make(plan, tracks, () => isOver() || isSupplied !== isLast);
    const early = setTimeout(async () => {
        const strips = await picture(false);
        if (strips) meanwhile(strips);
    }, SOON);
    /** Reads the parts that the picture needs. A part that cannot be read is reported to the page, and the picture is made without it. */
    const supply = () => advance(opening, plan.job, isOver).catch((error) => opening.parts.failed(error));
    try {
        if (opening.isRead) await supply();
        clearTimeout(early);
        isSupplied = true;
        const strips = await picture(true);
        // While the picture was made, other jobs may have evicted the parts that were read for it.
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
 * A picture of the whole log; exact if the log is small and has been read.
 * @param {Opening} opening
 * @param {import("../wishes.js").WholeWish} wish
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
