/** Something cannot be read; the message is text for users. */
export class Unreadable extends Error {}

/** A part of the log cannot be had now, but may come when it is requested again. When it does, the page removes the notice. */
export class NotNow extends Unreadable {}
