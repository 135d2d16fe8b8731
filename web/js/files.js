// A file that is dropped on the viewer, anywhere on the page if that is its own; or opened with the installed page, by the system's file
// manager.

/**
 * @param {import("./stage.js").Stage} stage
 * @param {HTMLElement} cover is shown while a file is over it
 * @param {(file: File) => void} open
 */
export function followFiles({ reach, signal }, cover, open) {
    // Entering a child comes before leaving its parent: counted, not switched.
    let inside = 0;
    /** @type {Record<string, (event: DragEvent) => void>} */
    const follow = {
        dragenter: ({ dataTransfer }) => {
            inside += 1;
            cover.hidden = !dataTransfer?.types.includes("Files");
        },
        dragleave: () => {
            inside -= 1;
            if (inside <= 0) cover.hidden = true;
        },
        dragover: (event) => event.preventDefault(),
        drop: (event) => {
            event.preventDefault();
            inside = 0;
            cover.hidden = true;
            const file = event.dataTransfer?.files[0];
            if (file) open(file);
        },
    };
    for (const [type, act] of Object.entries(follow)) {
        reach.addEventListener(type, (event) => act(/** @type {DragEvent} */ (event)), { signal });
    }
}

/**
 * @param {import("./stage.js").Stage} stage
 * @param {(file: File) => void} open
 */
export function followLaunches({ own }, open) {
    if (!own || !("launchQueue" in self)) return;
    /** @type {LaunchQueue} */ (self.launchQueue).setConsumer(async ({ files: [handle] }) => {
        if (handle) open(await handle.getFile());
    });
}
