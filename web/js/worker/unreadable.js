/** What cannot be read, for a reason that can be told to people. */
export class Unreadable extends Error {}

/** What cannot be had now, but may come when it is asked for again: then the page's notice of it goes. */
export class NotNow extends Unreadable {
    /**
     * @param {"viewer" | "log"} of what it is a part of
     * @param {string} message
     */
    constructor(of, message) {
        super(message);
        this.of = of;
    }
}
