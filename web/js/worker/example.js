// A small real log, for those who have none at hand: of the corpus's program `Threaded.hs`. It comes packed (web/bundling.js).

import packed from "../../../tests/corpus/threaded/log.eventlog";

/** @returns {Promise<Blob>} */
export function example() {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).blob();
}
