// The heap: its size, and the live part of it.

import { addPanel } from "../panel.js";

addPanel({ key: "heap", name: "Heap", what: "heap size, live bytes and allocation" });
