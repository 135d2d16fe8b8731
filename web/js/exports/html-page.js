// The viewer with the log in it, as one file.

import { addExport } from "./export.js";
import { startSaving } from "../saving/dialog.js";

addExport({
    id: "save-page",
    name: "save as one HTML file…",
    title: "Save the viewer with this log in it as one file",
    needsAll: true,
    start: startSaving,
});
