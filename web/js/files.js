// Opens files dropped on the viewer (anywhere on the page, if the viewer owns it), or opened with the installed app from the system's file
// manager.

import { noteHandle } from "./recent.js";
import { part } from "./stage.js";

const FOLDER = "this is a folder. Open it, and drop a log that is in it: a file whose name ends in .eventlog";

/** @param {import("./context.js").Context} context */
export function followFiles({ stage, opener }) {
    const { reach, signal } = stage;
    /** Shown while a file is dragged over the viewer. */
    const cover = part(stage, "drop");
    // Count instead of switching on and off: entering a child comes before leaving its parent.
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
            const { files, folders } = droppedIn(event.dataTransfer);
            if (files.length > 0) opener.openOneOf(files);
            else if (folders.length > 0) opener.refuse(folders[0], FOLDER);
        },
    };
    for (const [type, act] of Object.entries(follow)) {
        reach.addEventListener(type, (event) => act(/** @type {DragEvent} */ (event)), { signal });
    }
}

/** @param {import("./context.js").Context} context */
export function followLaunches({ stage, opener }) {
    if (!stage.own || !("launchQueue" in self)) return;
    /** @type {LaunchQueue} */ (self.launchQueue).setConsumer(async ({ files }) => {
        const opened = files.map(async (handle) => {
            const file = await handle.getFile();
            noteHandle(file, Promise.resolve(handle));
            return file;
        });
        opener.openOneOf(await Promise.all(opened));
    });
}

/**
 * What was dropped. Browsers give a folder as a file that cannot be read.
 * @param {DataTransfer | null} transfer
 * @returns {{ files: File[], folders: string[] }} the folders' names
 */
function droppedIn(transfer) {
    /** @type {File[]} */
    const files = [];
    /** @type {string[]} */
    const folders = [];
    for (const item of transfer?.items ?? []) {
        const file = item.kind === "file" ? item.getAsFile() : null;
        if (item.webkitGetAsEntry?.()?.isDirectory) folders.push(file?.name ?? "");
        else if (file) files.push(file);
        // Only while the drop is handled can one ask for that.
        const handle = /** @type {{ getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }} */ (item).getAsFileSystemHandle?.();
        if (file && handle)
            noteHandle(
                file,
                handle.catch(() => null),
            );
    }
    return { files, folders };
}
