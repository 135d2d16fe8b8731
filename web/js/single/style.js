// The sheet of a page of one file: empty until its text, which is packed as all large parts of that page are, is unpacked.

export const style = new CSSStyleSheet();
