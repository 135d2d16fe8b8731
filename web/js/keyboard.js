// What the keys of the reader's keyboard write.

/**
 * The characters of the reader's keys, by physical key. Only some browsers tell, and not in every frame.
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
export async function layoutMap() {
    const { keyboard } = /** @type {{ keyboard?: { getLayoutMap?: () => Promise<ReadonlyMap<string, string>> } }} */ (navigator);
    try {
        return (await keyboard?.getLayoutMap?.()) ?? new Map();
    } catch {
        return new Map();
    }
}
