// Colours for names, of which there may be any number: bands of a heap profile, modules. A name keeps its colour, in every log and whatever
// stands beside it, unless another one has it already.

/** How many there are: the roles `band-0`, `band-1`, …, in the order of the hues. */
export const NAMED = 20;

/** The role of what has no name of its own: all the rest. */
export const REST = "band-rest";

/** Colours far apart in the palette are tried first: this has no factor in common with their number. */
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
        // Once all are taken, each has its own again.
        while (this.#taken.has(at) && this.#taken.size < NAMED) at = (at + STEP) % NAMED;
        this.#taken.add(at);
        const role = `band-${at}`;
        this.#roles.set(name, role);
        return role;
    }

    /** Another log is shown: its names have their own colours again. */
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
