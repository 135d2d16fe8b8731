// The heap: how large it is, how much of it lives.

import { addPanel } from "../panel.js";

addPanel({ key: "heap", name: "Heap", what: "heap size, live bytes and allocation" });
