// Prepares the worker for the first log as soon as there are signs that the user may open one: not in hidden tabs.

const SIGNS = ["pointermove", "pointerdown", "dragenter", "keydown"];

/** @param {import("./context.js").Context} context */
export function followSigns({ stage: { reach, signal }, client }) {
    const seen = () => {
        for (const sign of SIGNS) reach.removeEventListener(sign, seen);
        client.warm();
    };
    for (const sign of SIGNS) reach.addEventListener(sign, seen, { signal, passive: true });
}
