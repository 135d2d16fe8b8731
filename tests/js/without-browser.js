// Lets a test load parts that use Lit, without rendering them: the packages are in the tests' folder, and there is no browser.

import { register } from "node:module";

export function withoutBrowser() {
    const resolve = `export const resolve = (name, context, next) =>
        next(name, /^lit(\\/|$)/.test(name) ? { ...context, parentURL: ${JSON.stringify(import.meta.url)} } : context);`;
    register(`data:text/javascript,${encodeURIComponent(resolve)}`);
    globalThis.matchMedia = () => ({ matches: false });
}
