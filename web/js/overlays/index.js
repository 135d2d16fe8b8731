// All overlays, from the lowest to the highest: what is drawn over the rows of the timeline. A new one is a file here and a line below.

import { arrows } from "./arrows.js";
import { pointer } from "./pointer.js";
import { range } from "./range.js";
import { span } from "./span.js";

/** @type {import("./overlay.js").Overlay<any>[]} */
export const OVERLAYS = [range, span, arrows, pointer];
