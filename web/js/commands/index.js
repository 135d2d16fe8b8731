// All commands, in the order of the help. To add one, add a row to the file where it belongs, or a file here and a line below.

import "./searching.js";
import "./moving.js";
import "./selecting.js";
import "./pointing.js";
import "./stepping.js";
import "./evidence.js";
import "./calls.js";
import "./scaling.js";
import "./timing.js";
import "./marking.js";
import "./linking.js";
import "./folding.js";
import "./arranging.js";
import "./panes.js";
import "./printing.js";
import "./page.js";
import "./help.js";

export { BY_CHARACTERS, BY_KEYS, COMMANDS } from "./command.js";
