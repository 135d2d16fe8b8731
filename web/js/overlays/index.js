// All overlays, from the lowest to the highest: what is drawn over the rows of the timeline. A new one is a file here and a line below.

import "./markers.js";
import "./range.js";
import "./span.js";
import "./arrows.js";
import "./pointer.js";

export { OVERLAYS } from "./overlay.js";
