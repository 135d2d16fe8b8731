// Finds tracks by their names.

import { hasWords } from "../search/words.js";

/** Tracks of each group that are looked at: threads by the ten thousand are found by the search over the log instead. */
const LOOKED_AT = 256;

/**
 * @param {import("./opening.js").Opening} opening
 * @param {{ text: string, most: number }} ask
 * @returns {import("../protocol.js").NamedTrack[]}
 */
export function tracksNamed({ log, arrangement }, { text, most }) {
    const { groups } = /** @type {import("../wire").Tree} */ (log.tree(arrangement));
    const found = groups.flatMap(({ key: group, name: groupName, tracks }) => {
        if (tracks === 0) return [];
        const own = { group, groupName, at: 0, track: null, name: groupName };
        const within = /** @type {import("../wire").Track[]} */ (log.tracks_of(arrangement, group, 0, LOOKED_AT)).map(
            ({ id, name }, at) => ({
                ...own,
                at,
                track: id,
                name,
            }),
        );
        return [own, ...within].filter(({ track, name }) => hasWords(text, track === null ? [name] : [groupName, name]));
    });
    return found.slice(0, most);
}
