// Hands a file to the browser as a download.

/** How long the browser may take to begin a download, in ms: its data must be kept until then. */
const DOWNLOAD = 60_000;

/**
 * @param {Blob} file
 * @param {string} name
 */
export function download(file, name) {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD);
}

/**
 * The name of a file that is made from a log: without the ending for its compression, which the file does not have, and without the folders
 * of an archive.
 * @param {string} log the log's name
 * @param {string} ending
 */
export function nameFor(log, ending) {
    const base = log.split(/[\\/]/).at(-1) || log;
    return `${base.replace(/(?<=.)\.(gz|zst|zip)$/i, "")}.${ending}`;
}
