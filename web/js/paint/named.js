// Colours for any number of names: bands of a heap profile, modules. A name has the same colour in every log and beside any other names,
// unless another name has that colour already.

/** The number of colours: the roles `band-0`, `band-1`, …, in the order of the hues. */
export const NAMED = 20;

/** The role of everything without a name of its own, such as the rest of the bands. */
export const REST = "band-rest";

/** Step through the palette when a colour is taken, so that the next one looks different. It has no factor in common with `NAMED`. */
const STEP = 7;

/** The roles of some names, first come, first served. */
export class NamedRoles {
    /** @type {Map<string, string>} */
    #roles = new Map();
    #taken = new Set();

    /**
     * @param {string} name
     * @returns {string} its role in the palette
     */
    of(name) {
        const known = this.#roles.get(name);
        if (known !== undefined) return known;
        const own = hash(name) % NAMED;
        let at = own;
        // Once all are taken, names share colours.
        while (this.#taken.has(at) && this.#taken.size < NAMED) at = (at + STEP) % NAMED;
        this.#taken.add(at);
        const role = `band-${at}`;
        this.#roles.set(name, role);
        return role;
    }

    /** Forgets all names: another log is shown. */
    forget() {
        this.#roles.clear();
        this.#taken.clear();
    }
}

/**
 * FNV-1a.
 * @param {string} text
 */
function hash(text) {
    let hash = 0x811c9dc5;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return hash >>> 0;
}
