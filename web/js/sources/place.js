// Places in the source as GHC writes them in cost centres, info tables and stacks. This is the only file that knows their forms:
//
//     src/Main.hs:12:3              a point
//     src/Main.hs:12:3-20           part of a line
//     src/Main.hs:(12,3)-(14,20)    several lines
//     src/Main.hs:12:3-14:20        the same, as other tools write it
//     src/Main.hs:12                a line
//     src/Main.hs:12:3 in main:Main a call stack's
//     src/Main.hs                   a file
//     <entire-module>, <no location info>, <generated>, …   no place

/**
 * @typedef {object} SourcePlace
 * @property {string} file
 * @property {number} line the first one; 0 if it is not known, as for the numbers below
 * @property {number} column
 * @property {number} endLine
 * @property {number} endColumn
 * @property {string} module empty, unless the text names it
 */

const [NUMBER, PAIR] = [String.raw`(\d{1,9})`, String.raw`\((\d{1,9}),(\d{1,9})\)`];

/** What follows a file's name: the longest forms first. Each has the names of its numbers. @type {[RegExp, (keyof SourcePlace)[]][]} */
const FORMS = [
    [new RegExp(`^(.+):${PAIR}-${PAIR}$`, "s"), ["line", "column", "endLine", "endColumn"]],
    [new RegExp(`^(.+):${NUMBER}:${NUMBER}-${NUMBER}:${NUMBER}$`, "s"), ["line", "column", "endLine", "endColumn"]],
    [new RegExp(`^(.+):${NUMBER}:${NUMBER}-${NUMBER}$`, "s"), ["line", "column", "endColumn"]],
    [new RegExp(`^(.+):${NUMBER}:${NUMBER}$`, "s"), ["line", "column"]],
    [new RegExp(`^(.+):${NUMBER}$`, "s"), ["line"]],
];

/** What a call stack adds: the unit and the module. */
const IN_MODULE = / in [^\s:]*:([\p{Lu}][\w.']*)$/u;

/** A file of Haskell or of what is compiled together with it: other texts without a line are no files. */
const FILE = /\.(l?hs|hsc|hs-boot|chs|x|y|c|cmm|h|s)$/i;

/**
 * The place that a text names; null if it names none.
 * @param {string} text
 * @returns {SourcePlace | null}
 */
export function parsePlace(text) {
    const written = text.trim();
    const [, module = ""] = IN_MODULE.exec(written) ?? [];
    const rest = module ? written.replace(IN_MODULE, "") : written;
    const nowhere = { line: 0, column: 0, endLine: 0, endColumn: 0, module };
    for (const [form, names] of FORMS) {
        const [, file, ...numbers] = form.exec(rest) ?? [];
        if (file === undefined) continue;
        if (!isFile(file)) return null;
        const place = { ...nowhere, file, ...Object.fromEntries(names.map((name, at) => [name, Number(numbers[at])])) };
        return { ...place, endLine: place.endLine || place.line };
    }
    // As the runtime writes what is of a whole module.
    const file = rest.replace(/:<[^>]*>$/, "");
    return isFile(file) && FILE.test(file) ? { ...nowhere, file } : null;
}

/**
 * Whether this may be a file: GHC puts what is no place into angle brackets, such as `<interactive>:3:1`.
 * @param {string} file
 */
function isFile(file) {
    return !/^\s*[<(]/.test(file) && !/[\0-\x1f\x7f]/.test(file);
}
