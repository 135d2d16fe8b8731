// All commands, in the order of the help. A new one is a row in the file of those that it belongs to, or a file here and a line below.

import "./moving.js";
import "./selecting.js";
import "./pointing.js";
import "./stepping.js";
import "./scaling.js";
import "./marking.js";
import "./folding.js";
import "./printing.js";
import "./help.js";

export { BY_KEYS, COMMANDS } from "./command.js";
