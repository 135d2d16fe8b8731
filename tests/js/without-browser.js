// Lets a test load parts that use Lit, without rendering them: the packages are in the tests' folder, and there is no browser. Style sheets are
// empty.

import { register } from "node:module";

export function withoutBrowser() {
    const hooks = `
        export const resolve = (name, context, next) =>
            next(name, /^lit(\\/|$)/.test(name) ? { ...context, parentURL: ${JSON.stringify(import.meta.url)} } : context);
        export const load = (url, context, next) =>
            url.endsWith(".css") ? { format: "module", source: 'export default ""', shortCircuit: true } : next(url, context);`;
    register(`data:text/javascript,${encodeURIComponent(hooks)}`);
    globalThis.CSSStyleSheet = class {
        replaceSync() {}
    };
    globalThis.matchMedia = () => ({ matches: false });
}
