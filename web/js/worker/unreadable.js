/** What cannot be read, for a reason that can be told to people. */
export class Unreadable extends Error {}

/** A part of the log that cannot be had now, but may come when it is asked for again: then the page's notice of it goes. */
export class NotNow extends Unreadable {}
