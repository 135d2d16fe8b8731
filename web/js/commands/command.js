// What a command is: something that the user can have done by a key. Keys and help are made from these.

/** @typedef {import("../context.js").Context} Context */

/**
 * @typedef {object} Command
 * @property {string} id its own, as in "view.zoom-in"; it never changes
 * @property {string} name what it does, as the help says it
 * @property {string} keys how the help names them: several with blanks between them, and "_" for a blank within one
 * @property {string[]} codes physical keys, "Shift+" or "Alt+Shift+" before them if need be, or what they write where that counts ("?")
 * @property {(context: Context) => void} run
 */

/**
 * What is done by other means than a command's keys, and is only told of in the help.
 * @typedef {Pick<Command, "name" | "keys">} Gesture
 */

/**
 * All of them, in the order of the help: as `index.js` has them.
 * @type {(Command | Gesture)[]}
 */
export const COMMANDS = [];

/** Those that are run by a key, by each of their keys. @type {Map<string, Command>} */
export const BY_KEYS = new Map();

/**
 * Each file of commands calls this. Only `index.js` imports those files: it has their order.
 * @param {(Command | Gesture)[]} family commands that belong together, in the order of the help
 */
export function addCommands(family) {
    for (const command of family) {
        COMMANDS.push(command);
        if ("run" in command) for (const code of command.codes) bind(code, command);
    }
}

/**
 * @param {string} code
 * @param {Command} command
 */
function bind(code, command) {
    const other = BY_KEYS.get(code);
    if (other) throw new Error(`${code} is the key of ${other.id} and of ${command.id}`);
    BY_KEYS.set(code, command);
}
