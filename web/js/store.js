// A value that tells when it changes.

/**
 * @template T
 */
export class Store {
    /** @type {((value: T) => void)[]} */
    #listeners = [];

    /** @param {T} value */
    constructor(value) {
        this.value = value;
    }

    /** @param {Partial<T>} change */
    set(change) {
        this.value = { ...this.value, ...change };
        for (const listener of this.#listeners) listener(this.value);
    }

    /** @param {(value: T) => void} listener called at every change, and now */
    follow(listener) {
        this.#listeners.push(listener);
        listener(this.value);
    }
}
