// The style of all viewers of a page, in one sheet; where the page is the viewer's own, it is the page's, too. In a page of one file the text
// comes packed (web/js/single/style.js).

import { text } from "./style-text.js";

export const style = new CSSStyleSheet();
style.replaceSync(text);
