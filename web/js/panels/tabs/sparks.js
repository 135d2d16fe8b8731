// Sparks of all capabilities.

import { addPanel } from "../panel.js";

addPanel({ key: "sparks", name: "Sparks", what: "sparks created, run and lost", built: "-threaded" });
