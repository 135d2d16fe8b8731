// The style of all viewers of a page, in one sheet; also that of the page itself, if the viewer owns it. In a page of one file, the text is
// compressed (web/js/single/style.js).

import { text } from "./style-text.js";

export const style = new CSSStyleSheet();
style.replaceSync(text);
