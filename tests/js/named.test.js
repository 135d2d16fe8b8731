// Colours for names.

import assert from "node:assert/strict";
import { test } from "node:test";
import { NAMED, NamedRoles } from "../../web/js/paint/named.js";

const names = Array.from({ length: 2 * NAMED }, (_, at) => `Module${at}`);

test("a name keeps its colour, and as many names as there are colours have different ones", () => {
    const roles = new NamedRoles();
    const first = names.slice(0, NAMED).map((name) => roles.of(name));
    assert.equal(new Set(first).size, NAMED);
    assert.deepEqual(
        names.slice(0, NAMED).map((name) => roles.of(name)),
        first,
    );
});

test("the first name has the same colour in every log, and so has one for which no colour is left", () => {
    const alone = names.map((name) => new NamedRoles().of(name));
    const roles = new NamedRoles();
    assert.equal(roles.of(names[0]), alone[0]);
    for (const name of names) roles.of(name);
    assert.equal(roles.of("one more"), new NamedRoles().of("one more"));
    assert.ok(new Set(alone).size > NAMED / 2, "names are spread over the palette");
});
