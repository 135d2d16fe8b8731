// All panels of the drawer, in the order of their tabs. To add one, add a file here and a line below.

import "./findings.js";
import "./summary.js";
import "./gc.js";
import "./heap.js";
import "./threads.js";
import "./sparks.js";
import "./messages.js";
import "./requests.js";
import "./events.js";
import "./search.js";
import "./notes.js";
import "./profile.js";
import "./ticky.js";
import "./process.js";

export { PANELS } from "../panel.js";
