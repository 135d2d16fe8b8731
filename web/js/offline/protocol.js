// What the page says to its service worker.

/** Take the place of the version that is in use. Answered by the number of other pages that still use that: then it stays. */
export const TAKE_OVER = "take over";
