// The names of files that are made from a log.

import { test } from "node:test";
import assert from "node:assert/strict";
import { nameFor } from "../../web/js/saving/download.js";

test("a saved file has the log's name, without the ending for its compression", () => {
    const names = {
        "run.eventlog": "run.eventlog.html",
        "run.eventlog.gz": "run.eventlog.html",
        "run.gz": "run.html",
        "run.eventlog.ZST": "run.eventlog.html",
        "runs.zip": "runs.html",
        "runs/of today/a.eventlog": "a.eventlog.html",
        gz: "gz.html",
        ".gz": ".gz.html",
    };
    for (const [log, file] of Object.entries(names)) assert.equal(nameFor(log, "html"), file);
});
