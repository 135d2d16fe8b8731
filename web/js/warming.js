// The worker is made ready for the first log once there are signs of somebody who may open one: not in tabs that nobody looks at.

const SIGNS = ["pointermove", "pointerdown", "dragenter", "keydown"];

/**
 * @param {Pick<import("./stage.js").Stage, "reach" | "signal">} stage
 * @param {() => void} warm is called once
 */
export function followSigns({ reach, signal }, warm) {
    const seen = () => {
        for (const sign of SIGNS) reach.removeEventListener(sign, seen);
        warm();
    };
    for (const sign of SIGNS) reach.addEventListener(sign, seen, { signal, passive: true });
}
