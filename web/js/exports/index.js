// All exports of what a log says as a whole, from left to right. A new one is a file here and a line below.

import "./html-page.js";
import "./markdown.js";

export { EXPORTS } from "./export.js";
