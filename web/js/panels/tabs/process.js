// The process that wrote the log.

import { addPanel } from "../panel.js";

addPanel({
    key: "process",
    name: "Process",
    sections: ["process", "tasks"],
    what: "the program's process, its arguments and its environment",
});
