// Counters of closures.

import { addPanel } from "../panel.js";

addPanel({ key: "ticky", name: "Ticky", what: "how often each closure was entered, and what it allocated", built: "-ticky" });
