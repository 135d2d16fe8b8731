// The keyboard. Keys are named by where they are, so that other layouts work as well.

/**
 * @typedef {object} Binding
 * @property {string[]} codes physical keys, or what they write where that is what counts ("?")
 * @property {string} keys how the help names them
 * @property {string} what they do
 * @property {() => void} [run] none for gestures, which are only told of
 */

/**
 * Runs what a key is bound to.
 * @param {Binding[]} bindings
 */
export function followKeys(bindings) {
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
        if (document.querySelector("dialog[open]")) return;
        const binding = bindings.find(({ codes, run }) => run && (codes.includes(event.code) || codes.includes(event.key)));
        if (!binding?.run) return;
        if (isControl(event.target) && ["Enter", "Space"].includes(event.code)) return;
        event.preventDefault();
        binding.run();
    });
}

/** @param {EventTarget | null} target */
function isTyping(target) {
    return target instanceof HTMLElement && target.matches("input:not([type=file]), textarea, select");
}

/** @param {EventTarget | null} target */
function isControl(target) {
    return target instanceof HTMLElement && target.matches("button, a, summary, input");
}

/**
 * Lists all bindings.
 * @param {HTMLTableElement} table
 * @param {Binding[]} bindings
 */
export function listKeys(table, bindings) {
    table.replaceChildren(
        ...bindings.map(({ keys, what }) => {
            const row = document.createElement("tr");
            const name = document.createElement("th");
            name.scope = "row";
            for (const [at, key] of keys.split(" ").entries()) {
                if (at > 0) name.append(" ");
                const kbd = document.createElement("kbd");
                kbd.textContent = key.replaceAll("_", " ");
                name.append(kbd);
            }
            row.append(name, Object.assign(document.createElement("td"), { textContent: what }));
            return row;
        }),
    );
}
