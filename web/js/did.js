// What a thread did, in one sentence.

/** The states of a thread in which it exists, and what a thread in each of them does. */
const STATES = /** @type {const} */ ([
    ["running", "ran"],
    ["blocked", "was blocked"],
    ["runnable", "could run and waited for a capability or a collection"],
    ["foreign", "was in foreign calls"],
]);

/** A share of its life that is not worth a word. */
const LITTLE = 0.005;

/** What the runtime's own threads do when they wake up others, by the labels that the base library gives them. @type {[RegExp, string][]} */
const OWN = [
    [/^(\d+ )?TimerManager$/, "ended a threadDelay or timeout"],
    [/^(\d+ )?IOManager(Thread| on cap \d*)?$/, "had input or output"],
];

/**
 * What one of the runtime's own threads does when it wakes up others; none for the program's threads.
 * @param {string | undefined} label perhaps after its number
 */
export const didOwn = (label = "") => OWN.find(([name]) => name.test(label))?.[1];

/**
 * "Was blocked 80 % of its life (mostly on an MVar; most of it for thread 7, writer), ran 12 %." It is of the whole log.
 * @param {Pick<import("./protocol.js").Track, "states" | "waited">} track
 * @returns {string | undefined} none for a track that is not a thread's, and as long as it is not known what threads did
 */
export function didText({ states, waited }) {
    const time = (/** @type {string} */ role) => states.find((state) => state.role === role)?.total ?? 0;
    const isThread = STATES.every(([role]) => states.some((state) => state.role === role));
    const life = isThread ? states.reduce((sum, { total = 0 }) => sum + total, 0) : 0;
    if (life === 0) return undefined;
    const shares = STATES.map(([role, did]) => ({ role, did, share: time(role) / life })).filter(({ share }) => share >= LITTLE);
    if (shares.length === 0) return undefined;
    shares.sort((one, other) => other.share - one.share);
    const parts = shares.map(({ role, did, share }, at) => {
        const of = at === 0 ? " of its life" : "";
        const what = role === "blocked" && waited ? ` (${waitedText(waited)})` : "";
        return `${did} ${Math.round(share * 100)} %${of}${what}`;
    });
    const text = parts.join(", ");
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** @param {NonNullable<import("./protocol.js").Track["waited"]>} waited */
function waitedText({ reason, thread, label }) {
    const own = didOwn(label);
    const name = `thread ${thread}${label === undefined ? "" : `, ${label}`}`;
    const whom = thread === undefined ? "" : `; most of it ${own ? `until ${name}, ${own}` : `for ${name}`}`;
    return `mostly ${reason.replace(/^blocked (?=\w)/, "")}${whom}`;
}
