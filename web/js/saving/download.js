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
