// Collections, moving and not.

import { addPanel } from "../panel.js";

addPanel({ key: "gc", name: "GC", sections: ["gc", "nonmoving"], what: "each collection, its pause and what it copied" });
