// The one place that asks the browser for a frame.

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
