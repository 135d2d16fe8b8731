/** A text in the search field that begins with this looks for commands. */
export const COMMAND = ">";
