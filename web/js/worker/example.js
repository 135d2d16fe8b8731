// A small real log for users who have none at hand, from the corpus's program `Threaded.hs`. It is compressed (web/bundling.js).

import packed from "../../../tests/corpus/threaded/log.eventlog";

/** @returns {Promise<Blob>} */
export function example() {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).blob();
}
