// The one place that asks the browser for a frame.

/** How long a frame is waited for, in ms: none comes as long as nobody sees the page. */
const PATIENCE = 100;

/**
 * Makes a function that lets `paint` be called once in the next frame, however often it is called before that.
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
 * The same for what a frame shall not wait for: `act` is called in a task of its own, once the next frame is painted, or when
 * none has come for a while.
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
