// The timeline's canvas: as large as the box that it is in, and as sharp as the screen.

export const FONT = "12px system-ui, sans-serif";

export class Canvas {
    #element;
    #box;

    /**
     * @param {HTMLCanvasElement} element
     * @param {HTMLElement} box
     */
    constructor(element, box) {
        this.#element = element;
        this.#box = box;
        this.context = /** @type {CanvasRenderingContext2D} */ (element.getContext("2d"));
        this.#warmUp();
    }

    /**
     * With the first stroke on a canvas of a new size, the browser sets up its painting, which takes 30 to 90 ms on a busy machine. Better
     * before a log comes than in the task that paints its first picture.
     */
    #warmUp() {
        this.#element.width = Math.round(innerWidth * devicePixelRatio);
        this.#element.height = Math.round(innerHeight * devicePixelRatio);
        this.context.fillRect(0, 0, this.#element.width, this.#element.height);
        this.context.clearRect(0, 0, this.#element.width, this.#element.height);
    }

    /**
     * Makes it as wide as its box, and this high. Lengths are CSS pixels, and so are those of painting on it.
     * @param {number} height
     * @returns {boolean} whether that has cleared it
     */
    fit(height) {
        const ratio = devicePixelRatio;
        const width = this.#box.clientWidth;
        const [pixelsX, pixelsY] = [Math.round(width * ratio), Math.round(height * ratio)];
        const resized = this.#element.width !== pixelsX || this.#element.height !== pixelsY;
        if (resized) {
            this.#element.width = pixelsX;
            this.#element.height = pixelsY;
            this.#element.style.width = `${width}px`;
            this.#element.style.height = `${height}px`;
            // For the focus ring around it, which is drawn above all that the box contains.
            this.#box.style.setProperty("--timeline-height", `${height}px`);
        }
        this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.context.font = FONT;
        return resized;
    }

    clear() {
        this.context.setTransform(1, 0, 0, 1, 0, 0);
        this.context.clearRect(0, 0, this.#element.width, this.#element.height);
    }
}
