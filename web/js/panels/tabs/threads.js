// The program's threads.

import { addPanel } from "../panel.js";

addPanel({ key: "threads", name: "Threads", what: "each thread, how long it ran and what it waited for" });
