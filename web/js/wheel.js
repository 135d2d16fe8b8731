// The wheel and the touchpad on the timeline. What they send differs: a wheel's notch is one event of 100 or 120 pixels, or of 3 lines
// in Firefox; a touchpad sends many small deltas on both axes, which go on for a second after the fingers have left; pinching is a wheel
// event with Ctrl in most browsers, and an event of its own in Safari.

/** @typedef {Pick<import("./gestures.js").Actions, "zoom" | "pan">} WheelActions */

/** The height of a line, in CSS pixels. */
const LINE = 16;

/** How strongly a wheel that sends lines zooms. One that sends pixels, and a touchpad, zoom twice as much for each. */
const ZOOM = 0.0022;

/** Events that are at most this far apart, in ms, belong to one movement of the fingers. */
const TOGETHER = 150;

/**
 * @param {HTMLElement} element
 * @param {WheelActions} actions
 * @param {() => boolean} isTouched whether fingers are on the screen, which `gestures.js` follows
 */
export function followWheel(element, { zoom, pan }, isTouched) {
    const isSideways = sidewaysFollower();
    /** @param {{ clientX: number }} event */
    const xOf = (event) => event.clientX - element.getBoundingClientRect().left;
    element.addEventListener(
        "wheel",
        (event) => {
            const unit = { [WheelEvent.DOM_DELTA_LINE]: LINE, [WheelEvent.DOM_DELTA_PAGE]: element.clientHeight }[event.deltaMode] ?? 1;
            const [x, y] = [event.deltaX * unit, event.deltaY * unit];
            const sideways = isSideways(event, x, y);
            if (event.ctrlKey || event.metaKey) {
                prevent(event);
                zoom(xOf(event), Math.exp(y * ZOOM * (event.deltaMode ? 1 : 2)));
            } else if (event.shiftKey || sideways) {
                prevent(event);
                // With Shift, some browsers turn a wheel's delta sideways, others do not.
                pan(event.shiftKey ? x || y : x);
            }
        },
        { passive: false },
    );
    // Safari: of a pinch on a touchpad. On a touch screen, the fingers are pointers, too.
    let scale = 1;
    element.addEventListener("gesturestart", (event) => {
        scale = 1;
        event.preventDefault();
    });
    element.addEventListener("gesturechange", (event) => {
        event.preventDefault();
        const now = /** @type {Event & { scale: number, clientX: number }} */ (event);
        if (!isTouched() && now.scale > 0) zoom(xOf(now), scale / now.scale);
        scale = now.scale;
    });
}

/**
 * Once the browser has begun to scroll, the rest of the movement cannot be taken from it.
 * @param {Event} event
 */
function prevent(event) {
    if (event.cancelable) event.preventDefault();
}

/**
 * Decides by all of a movement so far whether it goes sideways: fingers never move exactly along an axis, and a single event of a
 * sideways movement may go up.
 */
function sidewaysFollower() {
    let [sumX, sumY, last] = [0, 0, -Infinity];
    /**
     * @param {Pick<WheelEvent, "timeStamp" | "shiftKey" | "ctrlKey">} event
     * @param {number} x in CSS pixels
     * @param {number} y
     */
    return ({ timeStamp, shiftKey, ctrlKey }, x, y) => {
        // What a key turns into something else says nothing of the direction.
        if (shiftKey || ctrlKey || timeStamp - last > TOGETHER) [sumX, sumY] = [0, 0];
        if (shiftKey || ctrlKey) return false;
        [sumX, sumY, last] = [sumX + Math.abs(x), sumY + Math.abs(y), timeStamp];
        return sumX > sumY;
    };
}
