// Opens files dropped on the viewer (anywhere on the page, if the viewer owns it), or opened with the installed app from the system's file
// manager.

import { part } from "./stage.js";

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
            const file = event.dataTransfer?.files[0];
            if (file) opener.openAsUser(file);
        },
    };
    for (const [type, act] of Object.entries(follow)) {
        reach.addEventListener(type, (event) => act(/** @type {DragEvent} */ (event)), { signal });
    }
}

/** @param {import("./context.js").Context} context */
export function followLaunches({ stage, opener }) {
    if (!stage.own || !("launchQueue" in self)) return;
    /** @type {LaunchQueue} */ (self.launchQueue).setConsumer(async ({ files: [handle] }) => {
        if (handle) opener.openAsUser(await handle.getFile());
    });
}
