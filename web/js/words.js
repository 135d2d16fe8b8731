// The texts of the page while it opens logs, and about what is wrong with them. The sentences of the decoder and the model come with a log;
// here they get units and grouped digits, and begin and end like sentences.

import { bytes, count, sentence, visible } from "./format.js";

/** @typedef {import("./state.js").LogState} LogState */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").LogInfo} LogInfo */
/** @typedef {import("./protocol.js").Notice} Notice */

/**
 * A noun with its number.
 * @param {number} number
 * @param {string} one
 */
export function counted(number, one) {
    return `${count(number)} ${one}${number === 1 ? "" : "s"}`;
}

/**
 * A file with its size, if that is known: `run.eventlog` (12.3 MiB).
 * @param {{ file: string, size: number }} file
 */
export function fileText({ file, size }) {
    return `${visible(file)}${size > 0 ? ` (${bytes(size)})` : ""}`;
}

/**
 * A sentence whose large numbers are easy to read: "at byte 199 987". Digits within a word, such as a file's name, and the port of a host
 * are not grouped; the marks around a command, `+RTS -l`, are removed.
 * @param {string} text
 */
export function plain(text) {
    const grouped = text.replace(/(?<![\w.\-/:])\d{5,}(?![\w\-/])(?!\.\w)|(?<=\bbyte )\d{4}\b/g, (digits) => count(Number(digits)));
    return sentence(visible(grouped.replace(/`([^`]+)`/g, "$1")));
}

/**
 * @param {Notice} notice
 * @param {LogInfo} log
 */
export function noticeText({ text, stopped }, { read, size }) {
    return stopped ? `Stopped at ${partOf(read, size)}; later events are missing.` : plain(text);
}

/**
 * How much of a file has been read; its size may not be known.
 * @param {number} read
 * @param {number} size
 */
function partOf(read, size) {
    return size > 0 ? `${bytes(read)} of ${bytes(size)}` : bytes(read);
}

/**
 * The progress of reading a log, or of the log that will replace it.
 * @param {Pick<State, "next" | "retryIn"> & Pick<LogState, "log">} state
 */
export function progressText({ log, next, retryIn }) {
    const broken = retryIn === null ? "" : ` · The connection broke; trying again in ${retryIn / 1000} s`;
    if (next) {
        const { file, read, loads } = next;
        const opening = `${loads ? "Loading" : "Opening"} ${visible(file.name)}`;
        return (file.size + read > 0 ? `${opening} · ${partOf(read, file.size)}` : `${opening}…`) + broken;
    }
    if (!log) return "";
    const { read, size, status } = log;
    const preview = status.ahead === undefined ? "" : " · paler parts are a preview";
    return partOf(read, size) + (broken || ` · ${counted(status.events, "event")}${preview}`);
}

/**
 * The note on paper about what is not on it.
 * @param {{ above: number, below: number }} left the number of tracks left out
 * @param {object} missing
 * @param {string} [missing.arranged] which rows the user does not show
 * @param {number} missing.undrawn the number of tracks on it without a picture
 * @param {boolean} missing.areOld whether some figures may be old, since more was still coming to be known about the log
 * @param {boolean} missing.wouldWait whether Ctrl+P would wait for these
 */
export function unprintedText({ above, below }, { arranged = "", undrawn, areOld, wouldWait }) {
    const parts = [above > 0 ? `${counted(above, "track")} above these` : "", below > 0 ? `${counted(below, "track")} below` : ""];
    const tracks = parts.filter(Boolean).join(", ");
    const printed = tracks ? [`Not printed: ${tracks}.`] : [];
    const hint = wouldWait ? " Ctrl+P waits for that." : "";
    const drawn =
        undrawn > 0
            ? [`Printed before ${undrawn === 1 ? "its picture" : "their pictures"} could be drawn: ${counted(undrawn, "track")}.${hint}`]
            : [];
    const old = areOld ? [`Printed while the log was still being read, so some figures may be older than others.${hint}`] : [];
    return [...printed, arranged, ...drawn, ...old].filter(Boolean).join(" ");
}

/**
 * The sentence after the reason why a file cannot be shown.
 * @param {Pick<LogState, "log" | "file">} state
 */
export function stillOpen({ log, file }) {
    return log ? `${visible(file?.name ?? log.name)} is still open.` : "";
}

/**
 * @param {import("./state.js").Next} next
 * @param {import("./protocol.js").Choice} choice
 */
export function choiceText({ file, opening }, { logs }) {
    return opening === 0 ? `Which of these ${file.name}?` : `${visible(file.name)} has ${counted(logs, "eventlog")}`;
}

/**
 * What is listed of them.
 * @param {import("./protocol.js").Choice} choice
 */
export function listText({ text, count: found, entries }) {
    if (found === 0) return `No name contains “${visible(text)}”.`;
    if (found === entries.length) return text ? `${counted(found, "name")} with “${visible(text)}”.` : "Choose the one to open.";
    return `The first ${count(entries.length)} of ${count(found)}. Type a part of the name to find others.`;
}
