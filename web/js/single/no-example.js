// In place of the example log, in a page of one file: that has a log of its own.

export const example = () => new Blob();
