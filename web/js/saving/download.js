// Gives a file to the browser, as a download.

/** How long the browser may take to begin with a download, in ms: what it is of must be there as long. */
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
