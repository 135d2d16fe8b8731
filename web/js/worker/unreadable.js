/** What cannot be read, for a reason that can be told to people. */
export class Unreadable extends Error {}
