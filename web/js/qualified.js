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
