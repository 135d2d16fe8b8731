// A command: something that the user can do by a key or in the search field. Keys, help and suggestions are made from these.

/** @typedef {import("../context.js").Context} Context */

/**
 * @typedef {object} Command
 * @property {string} id unique, such as "view.zoom-in"; must never change
 * @property {string} name what it does, for the help and the search field: it must make sense alone
 * @property {string} keys their names in the help, separated by spaces; "_" is a space within a name. Empty: it is only among the commands
 *     of the search field
 * @property {string[]} codes letters, digits and arrows: physical keys, after "Shift+", "Alt+Shift+" or "Ctrl+Shift+" if needed
 * @property {string[]} [characters] punctuation: the characters that a key writes, wherever that key is
 * @property {(context: Context) => void} run
 */

/**
 * Something that works without a command's keys, and is only listed in the help.
 * @typedef {Pick<Command, "name" | "keys">} Gesture
 */

/**
 * All commands, in the order of the help, which is that of `index.js`.
 * @type {(Command | Gesture)[]}
 */
export const COMMANDS = [];

/** The commands by each of their physical keys. @type {Map<string, Command>} */
export const BY_KEYS = new Map();

/** The commands by each of their characters. @type {Map<string, Command>} */
export const BY_CHARACTERS = new Map();

/**
 * Registers commands: each file of commands calls this. Only `index.js` imports those files, so it sets their order.
 * @param {(Command | Gesture)[]} family commands that belong together, in the order of the help
 */
export function addCommands(family) {
    for (const command of family) {
        COMMANDS.push(command);
        if (!("run" in command)) continue;
        for (const code of command.codes) bind(BY_KEYS, code, command);
        for (const character of command.characters ?? []) bind(BY_CHARACTERS, character, command);
    }
}

/**
 * @param {Map<string, Command>} commands
 * @param {string} key
 * @param {Command} command
 */
function bind(commands, key, command) {
    const other = commands.get(key);
    if (other) throw new Error(`${key} is the key of ${other.id} and of ${command.id}`);
    commands.set(key, command);
}
