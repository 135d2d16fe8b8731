// The tools above tables and below figures. To add one, add a file here and a line below.

import "./each-message.js";
import "./low-use.js";
import "./marker-lines.js";

export { TOOLS, ofSection } from "./tools.js";
