// The tools above tables. To add one, add a file here and a line below.

import "./low-use.js";

export { TOOLS } from "./tools.js";
