// Which part of all rows is in view. Browsers have no elements higher than 17 million pixels (Firefox), or 33 million of the
// device's (Chromium, so 8 million at 400 % zoom): what is higher scrolls faster by its bar than by the wheel.

/** No element is higher than this, in CSS pixels. */
export const MOST_HIGH = 4_000_000;

/** A step of more views than this is one of the scroll bar's. */
const STEP = 2;

export class Scrolled {
    /** The height of all rows. */
    #height = 0;
    /** The height of the view. */
    #room = 0;
    /** Where the element was scrolled to when that was last heard of. */
    #last = 0;
    /** What is above the view, of all rows. */
    top = 0;

    /** How high the element is that scrolls. */
    get high() {
        return Math.min(this.#height, MOST_HIGH);
    }

    /** What is to be added to a height in that element to get one among the rows. */
    get offset() {
        return this.top - this.#last;
    }

    /**
     * @param {number} height
     * @param {number} room
     */
    resize(height, room) {
        this.#height = height;
        this.#room = room;
    }

    /**
     * The element is scrolled by its user.
     * @param {number} scrollTop what it says then
     * @returns {number} where it must be scrolled to for that, if its end came sooner than the rows'
     */
    to(scrollTop) {
        const by = scrollTop - this.#last;
        this.#last = scrollTop;
        const [end, most] = [this.high - this.#room, this.#height - this.#room];
        if (end >= most) {
            this.top = scrollTop;
            return scrollTop;
        }
        const isStep = Math.abs(by) <= STEP * this.#room;
        if (by !== 0) this.top = Math.min(Math.max(isStep ? this.top + by : (scrollTop / end) * most, 0), most);
        const near = scrollTop < this.#room || scrollTop > end - this.#room;
        return near && isStep ? this.scrollTopOf(this.top) : scrollTop;
    }

    /**
     * Where the element is scrolled to when so much of the rows is above the view.
     * @param {number} top
     */
    scrollTopOf(top) {
        const [end, most] = [this.high - this.#room, this.#height - this.#room];
        return end >= most ? top : (top / most) * end;
    }

    /**
     * The element was scrolled so that this much of the rows is above the view.
     * @param {number} scrollTop what it says then
     * @param {number} top
     */
    set(scrollTop, top) {
        this.#last = scrollTop;
        this.top = this.high < this.#height ? Math.min(Math.max(top, 0), this.#height - this.#room) : scrollTop;
    }
}
