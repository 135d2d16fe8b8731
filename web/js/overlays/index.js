// All overlays, which are drawn over the rows of the timeline, from the lowest to the highest. To add one, add a file here and a line
// below.

import "./low-use.js";
import "./markers.js";
import "./notes.js";
import "./hits.js";
import "./call-samples.js";
import "./range.js";
import "./evidence.js";
import "./span.js";
import "./arrows.js";
import "./pointer.js";

export { OVERLAYS } from "./overlay.js";
