// All exports of a whole log, from left to right. To add one, add a file here and a line below.

import "./html-page.js";
import "./markdown.js";

export { EXPORTS } from "./export.js";
