// In place of what saves a page, in a page of one file: that is such a page already, and can be copied.

export const startSaving = () => null;
export const startExporting = () => null;
export const pack = () => null;
export const exportProfile = () => null;
