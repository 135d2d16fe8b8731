// Converts between how far the element is scrolled and which part of all rows is in view. Browsers limit the height of elements: 17 million
// pixels (Firefox), or 33 million device pixels (Chromium, so 8 million at 400 % zoom). Rows that are higher than that scroll faster by the
// scroll bar than by the wheel.

/** No element is higher than this, in CSS pixels. */
export const MOST_HIGH = 4_000_000;

/** A step of more than this many views comes from the scroll bar. */
const STEP = 2;

export class Scrolled {
    /** The height of all rows. */
    #height = 0;
    /** The height of the view. */
    #room = 0;
    /** The last known `scrollTop` of the element. */
    #last = 0;
    /** The height of the rows above the view. */
    top = 0;

    /** The height of the element that scrolls. */
    get high() {
        return Math.min(this.#height, MOST_HIGH);
    }

    /** Added to a height in that element, gives the height among the rows. */
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
     * The user has scrolled the element.
     * @param {number} scrollTop of the element
     * @returns {number} the place that it must be scrolled to, if its end was reached before that of the rows
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
     * How far to scroll the element so that `top` of the rows' height is above the view.
     * @param {number} top
     */
    scrollTopOf(top) {
        const [end, most] = [this.high - this.#room, this.#height - this.#room];
        return end >= most ? top : (top / most) * end;
    }

    /**
     * The element was scrolled by the script so that `top` of the rows' height is above the view.
     * @param {number} scrollTop of the element
     * @param {number} top
     */
    set(scrollTop, top) {
        this.#last = scrollTop;
        this.top = this.high < this.#height ? Math.min(Math.max(top, 0), this.#height - this.#room) : scrollTop;
    }
}
