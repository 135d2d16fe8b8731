// Elements that stay from frame to frame, and are filled anew where they say something else: while rows scroll, asking the page what it
// has already takes as long as all drawing.

/** What a list has. @typedef {{ keys: (string | number)[], elements: HTMLElement[], inOrder: boolean }} Kept */

/** @type {WeakMap<HTMLElement, Kept>} */
const lists = new WeakMap();

/** What elements were filled with: most of them are so in the next frame, too. @type {WeakMap<HTMLElement, unknown[]>} */
const filled = new WeakMap();

/**
 * Elements for some keys, in their order. Those that are there stay: what has the focus keeps it.
 * @param {HTMLElement} list has no elements but those that are made here
 * @param {(string | number)[]} keys
 * @param {(key: string | number) => HTMLElement} make
 * @param {boolean} [hurries] an element that is no longer needed becomes another one where it stands: it is not taken out of the page and
 *     put into it again, which takes the browser longer than all else about it. The order of rows is mended the next time.
 * @returns {HTMLElement[]}
 */
export function keep(list, keys, make, hurries = false) {
    const before = lists.get(list);
    const isSame = before?.keys.length === keys.length && keys.every((key, at) => key === before.keys[at]);
    if (before && isSame && (hurries || before.inOrder)) return before.elements;
    const there = new Map(before?.keys.map((key, at) => [key, before.elements[at]]));
    const wanted = new Set(keys);
    const spare = [...there].flatMap(([key, element]) => (wanted.has(key) ? [] : [element]));
    // An element that has the focus does not become another one: its user would be somewhere else all of a sudden.
    const free = hurries ? spare.filter((element) => !element.matches(":focus-within")) : [];
    const elements = keys.map((key) => there.get(key) ?? free.pop() ?? newOf(list, key, make));
    const used = new Set(elements);
    for (const element of spare) if (!used.has(element)) element.remove();
    if (!hurries) putInOrder(list, elements);
    lists.set(list, { keys, elements, inOrder: !hurries });
    return elements;
}

/**
 * Takes all elements out of a list.
 * @param {HTMLElement} list
 */
export function empty(list) {
    lists.delete(list);
    list.replaceChildren();
}

/**
 * @param {HTMLElement} list
 * @param {string | number} key
 * @param {(key: string | number) => HTMLElement} make
 */
function newOf(list, key, make) {
    const element = make(key);
    list.append(element);
    return element;
}

/**
 * Has elements stand in an order. As a rule they do, or some of the last ones stand before the others, or some of the first ones after them.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} elements all that it has
 */
function putInOrder(list, elements) {
    const [first] = elements;
    const before = first ? [...list.children].indexOf(first) : 0;
    if (before < elements.length / 2) list.append(...[...list.children].slice(0, before));
    elements.forEach((element, at) => {
        if (list.children[at] !== element) list.insertBefore(element, list.children[at] ?? null);
    });
}

/**
 * Remembers what an element is filled with from now on.
 * @param {HTMLElement} element
 * @param {unknown[]} wanted
 * @returns {boolean} whether that is something else than before
 */
export function remember(element, ...wanted) {
    if (filled.get(element)?.every((value, at) => value === wanted[at])) return false;
    filled.set(element, wanted);
    return true;
}

/**
 * Sets what an element does not have: the browser would look at its style anew for what is set to what it was.
 * @param {HTMLElement} element
 * @param {string} name
 * @param {string} value
 */
export function set(element, name, value) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * @param {HTMLElement} element
 * @param {number} y
 * @param {number} height
 */
export function stand(element, y, height) {
    const [top, high] = [`${y}px`, `${height}px`];
    if (element.style.top !== top) element.style.top = top;
    if (element.style.height !== high) element.style.height = high;
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
export function write(element, text) {
    if (element.textContent !== text) element.textContent = text;
}
