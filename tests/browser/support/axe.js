// Runs axe-core, which knows the rules that a machine can check of WCAG 2.2 (A and AA) and of ARIA.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** All rules but those of level AAA and the experimental ones. */
const OPTIONS = {
    rules: {
        // Of WCAG 2.2, not yet on by default.
        "target-size": { enabled: true },
    },
    resultTypes: ["violations"],
    // The page itself: frames in it are pages of their own.
    iframes: false,
};

/**
 * What axe finds in what a page shows now, a line for each element.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export async function axeFindings(page) {
    // By the debugger: the page's content security policy forbids scripts that are inserted into it.
    if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(SOURCE);
    return page.evaluate(async (options) => {
        // Behind a modal dialog nothing can be reached or pressed, which axe does not know of a dialog in a shadow tree.
        const dialog = document.querySelector("ghc-eventlog-viewer")?.shadowRoot?.querySelector("dialog:modal");
        const { violations } = await globalThis.axe.run(dialog ?? document, options);
        return violations.flatMap(({ id, nodes }) =>
            nodes.map(({ target, html, any, all, none }) => {
                const why = [...any, ...all, ...none].map(({ message }) => message).join("; ");
                return `${id}: ${target.flat().join(" ")}: ${why}: ${html.slice(0, 160)}`;
            }),
        );
    }, OPTIONS);
}
