// Replaces the example log in a page of one file, which contains a log.

export const example = () => new Blob();
