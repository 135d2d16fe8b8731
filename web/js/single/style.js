// The style sheet of a page of one file: empty until its text is unpacked, which is compressed like all large parts of that page.

export const style = new CSSStyleSheet();
