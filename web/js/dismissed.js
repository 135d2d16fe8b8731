// The findings that the user has dismissed, by log.

import { ByLog } from "./by-log.js";
import { changeShown } from "./state.js";

/** Most findings of a log that are remembered; there are fewer rules. */
const MOST = 100;

/** The ids of the dismissed findings of each log. @type {ByLog<string>} */
export const DISMISSED = new ByLog("dismissed", MOST, (id) => (typeof id === "string" ? id : null));

/**
 * Remembers them of each log that has been read.
 * @param {Pick<import("./context.js").Context, "stage" | "store">} context
 */
export function followDismissed(context) {
    DISMISSED.follow(context, (dismissed) => changeShown(context.store, { dismissed }));
}
