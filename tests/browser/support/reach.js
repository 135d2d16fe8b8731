// The viewer's parts are in its shadow tree.

/**
 * Lets the tests' scripts in the page find the viewer's parts as if they were the page's: they are in a shadow tree. Playwright's selectors
 * reach into that by themselves.
 */
export function reachIn() {
    const own = Document.prototype;
    const { getElementById, querySelector, querySelectorAll } = own;
    const { get: activeElement } = Object.getOwnPropertyDescriptor(own, "activeElement");
    const root = () => querySelector.call(document, "ghc-eventlog-viewer")?.shadowRoot;
    own.getElementById = function (id) {
        return getElementById.call(this, id) ?? root()?.getElementById(id) ?? null;
    };
    own.querySelector = function (selector) {
        return querySelector.call(this, selector) ?? root()?.querySelector(selector) ?? null;
    };
    own.querySelectorAll = function (selector) {
        return [...querySelectorAll.call(this, selector), ...(root()?.querySelectorAll(selector) ?? [])];
    };
    Object.defineProperty(own, "activeElement", {
        get() {
            const active = activeElement.call(this);
            return active?.shadowRoot?.activeElement ?? active;
        },
    });
}
