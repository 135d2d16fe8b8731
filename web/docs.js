// Makes pages of docs/ for the page's folder, where they are read without a network, too. A link that leads nowhere ends the build.
//
//     node web/docs.js dist

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "../tests/node_modules/marked/lib/marked.esm.js";
import { style, web } from "./bundling.js";

const project = dirname(web);
const sources = join(project, "docs");

/** Documents that are elsewhere in the project, and the names of their pages. @type {Record<string, string>} */
const OTHERS = {
    "README.md": "index",
    "CHANGELOG.md": "changelog",
    "SECURITY.md": "security",
    "crates/ghc-eventlog-cli/SUMMARY.md": "summary-json",
};

/** Files of the project that documents may link to, though readers of the page do not have them: the link becomes plain text. */
const OF_THE_PROJECT = /^(?:LICENSE|web\/|crates\/|tests\/|ci\/)/;

/** What may be on a page: nothing but its style and its pictures. */
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/** @param {string} out the folder of the built page */
export async function documents(out) {
    const folder = join(out, "docs");
    mkdirSync(join(folder, "pictures"), { recursive: true });
    const pages = [
        ...readdirSync(sources).flatMap((name) => (name.endsWith(".md") ? [{ path: join(sources, name), name: basename(name, ".md") }] : [])),
        ...Object.entries(OTHERS).map(([path, name]) => ({ path: join(project, path), name })),
    ];
    const names = new Map(pages.map(({ path, name }) => [path, name]));
    /** The anchors of each page. @type {Map<string, Set<string>>} */
    const anchors = new Map();
    /** Links to anchors, looked up once all pages are made. @type {{ from: string, name: string, anchor: string }[]} */
    const wanted = [];

    for (const { path, name } of pages) {
        const own = new Set();
        anchors.set(name, own);
        const dead = (/** @type {string} */ href) => new Error(`${relative(project, path)} links to ${href}, which is not there`);

        /**
         * Where a link leads; null for what readers of the page do not have.
         * @param {string} href
         */
        const target = (href) => {
            if (/^https?:/.test(href)) return href;
            const [file, anchor = ""] = href.split("#");
            const to = file ? resolve(dirname(path), file) : path;
            const page = names.get(to);
            if (page !== undefined) {
                if (anchor) wanted.push({ from: path, name: page, anchor });
                return `${file ? `${page}.html` : ""}${anchor ? `#${anchor}` : ""}`;
            }
            if (!existsSync(to)) throw dead(href);
            if (OF_THE_PROJECT.test(relative(project, to))) return null;
            throw dead(href);
        };
        const marked = new Marked({
            gfm: true,
            renderer: {
                heading({ tokens, depth, text }) {
                    const id = anchorOf(text);
                    own.add(id);
                    return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
                },
                link({ href, tokens }) {
                    const [inner, to] = [this.parser.parseInline(tokens), target(href)];
                    return to === null ? inner : `<a href="${escaped(to)}">${inner}</a>`;
                },
                image({ href, text }) {
                    const from = resolve(dirname(path), href);
                    if (!existsSync(from)) throw dead(href);
                    cpSync(from, join(folder, "pictures", basename(from)));
                    return `<img src="pictures/${escaped(basename(from))}" alt="${escaped(text)}">`;
                },
                // On a narrow screen a table scrolls by itself.
                table(token) {
                    const row = (/** @type {import("marked").Tokens.TableCell[]} */ cells, /** @type {"th" | "td"} */ tag) =>
                        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
                    const head = token.header.some(({ text }) => text) ? `<thead>${row(token.header, "th")}</thead>` : "";
                    return `<div class="table" tabindex="0"><table>${head}<tbody>${token.rows.map((cells) => row(cells, "td")).join("\n")}</tbody></table></div>\n`;
                },
            },
        });
        const source = readFileSync(path, "utf8");
        const content = await marked.parse(source);
        const title = /^# (.*)$/m.exec(source)?.[1] ?? name;
        writeFileSync(join(folder, `${name}.html`), pageOf(title, name, content));
    }
    for (const { from, name, anchor } of wanted) {
        if (!anchors.get(name)?.has(anchor)) throw new Error(`${relative(project, from)} links to #${anchor} of ${name}, which is not there`);
    }
    writeFileSync(join(folder, "docs.css"), (await colours()) + (await style(join(web, "docs.css"))));
}

/** The page's colours, by the system's setting: these pages have no script that could choose. */
async function colours() {
    const own = await style(join(web, "style/colours.css"));
    const bySetting = own.replace(/:root\[data-theme="?dark"?\],\s*:host\(\[data-theme="?dark"?\]\)\s*(\{[^}]*\})/, "@media (prefers-color-scheme: dark) { :root $1 }");
    if (bySetting === own) throw new Error("colours.css has no dark colours where docs.js looks for them");
    return bySetting;
}

/**
 * The anchor of a heading, as the sites that show Markdown have it.
 * @param {string} text
 */
function anchorOf(text) {
    return text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s-]/gu, "")
        .replaceAll(" ", "-");
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
