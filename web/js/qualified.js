// Names of Haskell code that do not fit their room: their ends tell more than their begins.
//
//     containers-0.6.7:Data.Map.Internal.balanceL
//     |   package    |     module      |  name  |

/** The module, up to its last dot, and the package before it, which only comes with a module or a name that begins with a capital. */
const QUALIFIED = /^(<?[\p{L}_][\p{L}\p{N}_.-]*:(?=\p{Lu}))?((?:\p{Lu}[\p{L}\p{N}_']*\.(?=\S))*)(.*)$/su;

/** The constants of a module, which differ by the module. */
const CONSTANTS = /^CAF(?![\p{L}\p{N}_'])/u;

/**
 * The parts of a name, the least telling first: they are the name when put together. Other texts are all in the last part.
 * @param {string} text
 * @returns {[string, string, string]} package, module, name
 */
export function partsOf(text) {
    const [, inPackage = "", inModule = "", name = text] = QUALIFIED.exec(text) ?? [];
    if (!CONSTANTS.test(name)) return [inPackage, inModule, name];
    const last = inModule.lastIndexOf(".", inModule.length - 2) + 1;
    return [inPackage, inModule.slice(0, last), inModule.slice(last) + name];
}

/**
 * A text of at most some letters: a longer one loses its middle, so that texts that begin alike differ at the end.
 * @param {string} text
 * @param {number} most
 */
export function withoutMiddle(text, most) {
    // No letter is longer than two units.
    if (text.length <= most) return text;
    const tail = Math.max(Math.floor((most - 1) / 3), 0);
    const head = Math.max(most - 1 - tail, 0);
    if (text.length <= 2 * most && [...text].length <= most) return text;
    // Only as much as can be needed is taken apart: texts of a log may have 64 KB.
    const first = [...text.slice(0, 2 * head)].slice(0, head);
    const last = [...text.slice(text.length - 2 * tail)].slice(-tail || text.length);
    return `${first.join("")}…${last.join("")}`;
}

/**
 * Most letters of a text of the log where the page shows texts of all lengths: more are seldom read, and browsers need half a minute for a
 * word of 60 000 letters in columns that they balance.
 */
export const MOST_SHOWN = 1000;

/** Shorter texts have room nearly everywhere. */
const LEAST = 28;

/** Letters of an end. */
const TAIL = 10;

/**
 * Where the end of a text begins that is to stay in view if there is little room; null if it is a short text.
 * @param {string} text
 */
export function tailFrom(text) {
    if (text.length < LEAST) return null;
    const from = text.length - TAIL;
    // Not between the halves of a letter, and not before a mark that belongs to the letter before it.
    const later = /^(?:[\udc00-\udfff]|\p{M})+/u.exec(text.slice(from))?.[0].length ?? 0;
    return from + later;
}

/**
 * Ever shorter forms of a name: without its package, then without the first of its modules, and so on. A thread without a label is its
 * number, as one with a label begins with it. Texts of another form have only themselves.
 * @param {string} text
 */
export function* shorter(text) {
    yield text;
    const number = /^thread (\d+)$/.exec(text)?.[1];
    if (number) yield number;
    const [inPackage, inModule, name] = partsOf(text);
    let left = inModule;
    if (inPackage) yield `…${left}${name}`;
    while (left) {
        left = left.slice(left.indexOf(".") + 1);
        yield `…${left}${name}`;
    }
}
