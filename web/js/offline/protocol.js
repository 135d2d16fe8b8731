// The message from the page to its service worker.

/**
 * Asks the waiting version to replace the one in use. It answers with the number of other pages that still use the old version; if there
 * are any, it keeps waiting.
 */
export const TAKE_OVER = "take over";
