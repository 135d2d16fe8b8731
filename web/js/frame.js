// The one place that asks the browser for a frame.

/** How long to wait for a frame, in ms: none comes while the page is hidden. */
const PATIENCE = 100;

/**
 * Makes a function that has `paint` called once in the next frame, however often it is called itself before that.
 * @param {() => void} paint
 * @returns {() => void}
 */
export function requestFrame(paint) {
    let requested = false;
    return () => {
        if (requested) return;
        requested = true;
        requestAnimationFrame(() => {
            requested = false;
            paint();
        });
    };
}

/**
 * The same for work that must not delay the frame: `act` is called in a task of its own, after the next frame is painted, or when none has
 * come for a while.
 * @param {() => void} act
 * @returns {() => void}
 */
export function requestTurn(act) {
    let requested = false;
    return () => {
        if (requested) return;
        requested = true;
        const late = setTimeout(begin, PATIENCE);
        const frame = requestAnimationFrame(begin);
        function begin() {
            clearTimeout(late);
            cancelAnimationFrame(frame);
            setTimeout(() => {
                requested = false;
                act();
            });
        }
    };
}
