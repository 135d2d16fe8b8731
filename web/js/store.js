// A value that calls its listeners when it changes.

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

/**
 * Calls `show` now, and whenever what it depends on has changed.
 * @template T
 * @param {Store<T>} store
 * @param {(value: T) => unknown[]} on
 * @param {(value: T) => void} show
 */
export function follow(store, on, show) {
    /** @type {unknown[] | null} */
    let last = null;
    store.follow((value) => {
        const now = on(value);
        if (last?.every((value, at) => value === now[at])) return;
        last = now;
        show(value);
    });
}
