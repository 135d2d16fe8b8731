// The registered commands, as the keys and the help use them.

import { test } from "node:test";
import assert from "node:assert/strict";
import { BY_CHARACTERS, BY_KEYS, COMMANDS } from "../../web/js/commands/index.js";
import { addCommands } from "../../web/js/commands/command.js";

test("each command has a name, an id of its own, and is found by each of its keys", () => {
    const runs = COMMANDS.filter((command) => "run" in command);
    assert.ok(runs.length > 20);
    assert.equal(new Set(runs.map(({ id }) => id)).size, runs.length);
    assert.equal(new Set(COMMANDS.map(({ name, keys }) => `${name} ${keys}`)).size, COMMANDS.length);
    for (const command of runs) {
        assert.match(command.id, /^[a-z]+\.[a-z-]+$/);
        for (const code of command.codes) assert.equal(BY_KEYS.get(code), command);
        for (const character of command.characters ?? []) assert.equal(BY_CHARACTERS.get(character), command);
        // Without a key, it is only found by what it does.
        assert.equal(command.codes.length + (command.characters?.length ?? 0) > 0, command.keys !== "", command.id);
    }
});

test("a key that is bound twice is a mistake", () => {
    const command = (id) => ({ id, name: id, keys: "Z", codes: ["KeyZ"], run: () => {} });
    assert.throws(() => addCommands([command("one.a"), command("one.b")]), /KeyZ is the key of one\.a and of one\.b/);
});
