// Makes pages of docs/ in the page's folder, where they can also be read without a network. A dead link ends the build.
//
//     node web/docs.js dist

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "../tests/node_modules/marked/lib/marked.esm.js";
import { style, web } from "./bundling.js";
import { anchorOf } from "./js/anchor.js";

const project = dirname(web);

/** Documents from other folders of the project, and the names of their pages. @type {[string, string][]} */
const OTHERS = [
    ["README.md", "index"],
    ["CHANGELOG.md", "changelog"],
    ["SECURITY.md", "security"],
    ["crates/ghc-eventlog-cli/SUMMARY.md", "summary-json"],
];

/** The names of all documents' pages, by their paths in the project. */
const NAMES = new Map([
    ...readdirSync(join(project, "docs"))
        .filter((name) => name.endsWith(".md"))
        .map((name) => /** @type {[string, string]} */ ([`docs/${name}`, basename(name, ".md")])),
    ...OTHERS,
]);

/** Files that documents may link to, although readers of the page do not have them: the link becomes plain text. */
const OF_THE_PROJECT = /^(?:LICENSE|web\/|crates\/|tests\/|ci\/)/;

/** What a page may load: only its style and its pictures. */
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/**
 * @typedef {object} Rendered a document rendered as a page
 * @property {string} content
 * @property {Set<string>} anchors of its headings
 * @property {[page: string, anchor: string][]} links to anchors of pages
 * @property {string[]} pictures their paths in the project
 */

/**
 * Makes all pages, in a folder of the built page.
 * @param {string} out the folder of the built page
 */
export async function documents(out) {
    const folder = join(out, "docs");
    mkdirSync(join(folder, "pictures"), { recursive: true });
    /** @type {Map<string, Rendered>} */
    const pages = new Map();
    for (const [path, name] of NAMES) {
        const source = readFileSync(join(project, path), "utf8");
        const page = render(path, source);
        pages.set(name, page);
        for (const picture of page.pictures) cpSync(join(project, picture), join(folder, "pictures", basename(picture)));
        writeFileSync(join(folder, `${name}.html`), pageOf(/^# (.*)$/m.exec(source)?.[1] ?? name, name, page.content));
    }
    checkAnchors(pages);
    writeFileSync(join(folder, "docs.css"), (await colours()) + (await style(join(web, "docs.css"))));
}

/**
 * Throws if a link leads to an anchor that does not exist.
 * @param {Map<string, Pick<Rendered, "anchors" | "links">>} pages by their names
 */
export function checkAnchors(pages) {
    for (const [name, { links }] of pages) {
        for (const [page, anchor] of links) {
            if (!pages.get(page)?.anchors.has(anchor)) throw new Error(`${name} links to #${anchor} of ${page}, which is not there`);
        }
    }
}

/**
 * Renders a document; throws if it links to a file that does not exist.
 * @param {string} path of the document, in the project
 * @param {string} source Markdown
 * @returns {Rendered}
 */
export function render(path, source) {
    /** @type {Omit<Rendered, "content">} */
    const { anchors, links, pictures } = { anchors: new Set(), links: [], pictures: [] };
    /** @param {string} href */
    const fileOf = (href) => {
        const file = relative(project, resolve(project, dirname(path), href)).replaceAll(sep, "/");
        if (!existsSync(join(project, file))) throw new Error(`${path} links to ${href}, which is not there`);
        return file;
    };
    /**
     * The target of a link; null for a file that readers of the page do not have.
     * @param {string} href
     */
    const target = (href) => {
        if (/^https?:/.test(href)) return href;
        const [file, anchor] = href.split("#");
        const to = file ? fileOf(file) : path;
        const page = NAMES.get(to);
        if (page === undefined && OF_THE_PROJECT.test(to)) return null;
        if (page === undefined) throw new Error(`${path} links to ${href}, which has no page`);
        if (anchor) links.push([page, anchor]);
        return (file ? `${page}.html` : "") + (anchor ? `#${anchor}` : "");
    };
    const marked = new Marked({
        renderer: {
            heading({ tokens, depth, text }) {
                const id = anchorOf(text);
                anchors.add(id);
                return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
            },
            link({ href, tokens }) {
                const [text, to] = [this.parser.parseInline(tokens), target(href)];
                return to === null ? text : `<a href="${escaped(to)}">${text}</a>`;
            },
            image({ href, text }) {
                const picture = fileOf(href);
                pictures.push(picture);
                return `<img src="pictures/${escaped(basename(picture))}" alt="${escaped(text)}">`;
            },
            // Long lines scroll: also by keys.
            code({ text }) {
                return `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>\n`;
            },
            // On a narrow screen, the table scrolls, not the page.
            table(token) {
                const cells = (/** @type {import("marked").Tokens.TableCell[]} */ row, /** @type {"th" | "td"} */ tag) =>
                    `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
                const rows = token.rows.map((row) => cells(row, "td")).join("\n");
                return `<div class="table" tabindex="0"><table><thead>${cells(token.header, "th")}</thead><tbody>${rows}</tbody></table></div>\n`;
            },
        },
    });
    const content = /** @type {string} */ (marked.parse(source));
    return { content, anchors, links, pictures };
}

/** The page's colours, by the system's setting: these pages have no script for a choice. */
async function colours() {
    const own = await style(join(web, "style/colours.css"));
    const bySetting = own.replace(
        /:root\[data-theme="?dark"?\],\s*:host\(\[data-theme="?dark"?\]\)\s*(\{[^}]*\})/,
        "@media (prefers-color-scheme: dark) { :root $1 }",
    );
    if (bySetting === own) throw new Error("colours.css has no dark colours where docs.js looks for them");
    return bySetting;
}

/** @param {string} text */
function escaped(text) {
    return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/**
 * @param {string} title
 * @param {string} name
 * @param {string} content
 */
function pageOf(title, name, content) {
    const index = name === "index" ? "" : '<a href="index.html">All documents</a>';
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="docs.css">
</head>
<body>
<nav><a href="../">Open the viewer</a>${index}</nav>
<main>
${content}</main>
</body>
</html>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [folder] = process.argv.slice(2);
    if (!folder) throw new Error("which folder has the built page? `cargo xtask build` runs this");
    await documents(resolve(folder));
}
