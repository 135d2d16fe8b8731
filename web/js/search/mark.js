/** What a text of the search field begins with that asks for commands. */
export const COMMAND = ">";
