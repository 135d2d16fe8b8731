// Elements that are kept from frame to frame, and filled again only where their contents change. While rows scroll, reading from the page
// what it contains would take as long as all drawing.

/** The elements of a list. @typedef {{ keys: (string | number)[], elements: HTMLElement[], inOrder: boolean }} Kept */

/** @type {WeakMap<HTMLElement, Kept>} */
const lists = new WeakMap();

/** What each element was filled with: for most, the next frame has the same. @type {WeakMap<HTMLElement, unknown[]>} */
const filled = new WeakMap();

/**
 * Elements for some keys, in their order. Existing ones are kept, so that the focus stays where it is.
 * @param {HTMLElement} list contains only elements made here
 * @param {(string | number)[]} keys
 * @param {(key: string | number) => HTMLElement} make
 * @param {boolean} [hurries] reuses an element that is no longer needed without moving it: taking it out of the page and putting it in
 *     again takes the browser longer than everything else here. The order of the elements is put right in the next call without `hurries`.
 * @returns {HTMLElement[]}
 */
export function keep(list, keys, make, hurries = false) {
    const before = lists.get(list);
    const isSame = before?.keys.length === keys.length && keys.every((key, at) => key === before.keys[at]);
    if (before && isSame && (hurries || before.inOrder)) return before.elements;
    const there = new Map(before?.keys.map((key, at) => [key, before.elements[at]]));
    const wanted = new Set(keys);
    const spare = [...there].flatMap(([key, element]) => (wanted.has(key) ? [] : [element]));
    // An element with the focus is not reused: the user would suddenly be somewhere else.
    const free = hurries ? spare.filter((element) => !element.matches(":focus-within")) : [];
    const elements = keys.map((key) => there.get(key) ?? free.pop() ?? newOf(list, key, make));
    const used = new Set(elements);
    for (const element of spare) if (!used.has(element)) element.remove();
    if (!hurries) putInOrder(list, elements);
    lists.set(list, { keys, elements, inOrder: !hurries });
    return elements;
}

/**
 * Removes all elements of a list.
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
 * Puts elements in order. Usually they are, or the last few must move to the front, or the first few to the end.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} elements all elements of the list
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
 * Notes what an element is filled with.
 * @param {HTMLElement} element
 * @param {unknown[]} wanted
 * @returns {boolean} whether that has changed
 */
export function remember(element, ...wanted) {
    if (filled.get(element)?.every((value, at) => value === wanted[at])) return false;
    filled.set(element, wanted);
    return true;
}

/**
 * Sets an attribute only if it changes: setting the same value would make the browser compute styles again.
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
