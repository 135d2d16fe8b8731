// The tools above tables. To add one, add a file here and a line below.

import "./low-use.js";
import "./marker-lines.js";

export { TOOLS } from "./tools.js";
