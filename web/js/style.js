// The style of all viewers of a page, in one sheet.

import css from "../style.css";

export const style = new CSSStyleSheet();
style.replaceSync(css);
