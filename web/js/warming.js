// The worker is made ready for the first log once there are signs of somebody who may open one: not in tabs that nobody looks at.

const SIGNS = ["pointermove", "pointerdown", "dragenter", "keydown"];

/** @param {import("./context.js").Context} context */
export function followSigns({ stage: { reach, signal }, client }) {
    const seen = () => {
        for (const sign of SIGNS) reach.removeEventListener(sign, seen);
        client.warm();
    };
    for (const sign of SIGNS) reach.addEventListener(sign, seen, { signal, passive: true });
}
