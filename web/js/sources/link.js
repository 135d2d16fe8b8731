// Links from a place in the source to where its file can be seen, by a template such as `https://example.org/blob/{commit}/{file}#L{line}`.
//
// The template is written by the user, or by who saved the page; the values come from the log. No value may lead elsewhere than to the template's
// host or editor: only the schemes below count, placeholders come after the host only, and values are percent-encoded, so that a file named
// `../../x` or `?a#b` changes nothing but the name.

import { parsePlace } from "./place.js";

/** @typedef {{ template: string, commit: string }} SourceLinks empty texts if there are none */

/** @type {SourceLinks} */
export const NO_LINKS = { template: "", commit: "" };

/** The placeholders of a template. */
export const PLACEHOLDERS = ["file", "line", "column", "module", "commit"];

const PLACEHOLDER = /\{(\w*)\}/g;

/** Pages; and editors, by the begin of the addresses that open a file: other addresses make editors do other things. */
const SCHEMES = [
    "https://",
    "http://",
    ...["vscode", "vscode-insiders", "vscodium", "cursor", "zed"].map((editor) => `${editor}://file/`),
    "idea://open?",
];

/** Half of a surrogate pair: it cannot be encoded in an address. */
const HALF = /\p{Surrogate}/u;

/** Most characters of a template. */
const LONGEST = 2000;

/**
 * What is wrong with a template; empty if nothing is, or if there is none.
 * @param {SourceLinks} links
 */
export function faultOf({ template, commit }) {
    if (!template) return "";
    if (template.length > LONGEST) return `A link has at most ${LONGEST} characters.`;
    if (/[\0-\x20\x7f\\]/.test(template)) return "A link has no spaces and no backslashes.";
    if (!SCHEMES.some((scheme) => template.startsWith(scheme)))
        return "A link begins with https:// or http://, or with vscode://file/, vscodium://file/, cursor://file/, zed://file/ or idea://open? for an editor.";
    const unknown = [...template.matchAll(PLACEHOLDER)].find(([, name]) => !PLACEHOLDERS.includes(name));
    if (unknown) return `There is no ${unknown[0]}. Write {file}, {line}, {column}, {module} or {commit}.`;
    if (![...template.matchAll(PLACEHOLDER)].some(([, name]) => name === "file" || name === "module"))
        return "A link needs {file} or {module}.";
    if (!hostOf(template)) return "This is not an address.";
    if (hostOf(filled(template, () => "x")) !== hostOf(filled(template, () => "y")))
        return "Placeholders in braces can only come after the host's name.";
    if (HALF.test(commit)) return "The commit has a character that an address cannot have.";
    if (template.includes("{commit}") && !commit) return "The link has {commit}: say which commit the program was built from.";
    return "";
}

/**
 * The address of a place; null if there is no template, or the place lacks something that it needs.
 * @param {SourceLinks} links
 * @param {string} text the place, as the log has it
 * @param {string} [module]
 * @returns {string | null}
 */
export function addressOf(links, text, module = "") {
    const { template, commit } = links;
    const place = parsePlace(text);
    if (!template || faultOf(links)) return null;
    const file = place ? encodedPath(place.file) : "";
    const name = module || place?.module || "";
    /** @type {Record<string, string | null>} */
    const values = {
        file: file || null,
        line: String(place?.line || 1),
        column: String(place?.column || 1),
        // These would lead out of where the template leads.
        module: name === "." || name === ".." || HALF.test(name) ? null : encodeURIComponent(name) || null,
        commit: commit.split("/").map(encodeURIComponent).join("/"),
    };
    if ([...template.matchAll(PLACEHOLDER)].some(([, name]) => values[name] === null)) return null;
    // Two slashes may begin the name of another computer.
    const address = filled(template, (name, before) =>
        before === "/" && name === "file" ? file.replace(/^\//, "") : (values[name] ?? ""),
    );
    return hostOf(address) === hostOf(filled(template, () => "x")) ? address : null;
}

/**
 * A file's path as part of an address; empty if it leads out of where it is.
 * @param {string} file
 */
function encodedPath(file) {
    const parts = file.replaceAll("\\", "/").split("/");
    if (parts.includes("..")) return "";
    try {
        const path = parts
            .filter((part) => part !== "." && part !== "")
            .map(encodeURIComponent)
            .join("/");
        return path && parts[0] === "" ? `/${path}` : path;
    } catch {
        // Half of a surrogate pair.
        return "";
    }
}

/**
 * @param {string} template
 * @param {(name: string, before: string) => string} value of a placeholder, by its name and the character before it
 */
function filled(template, value) {
    return template.replaceAll(PLACEHOLDER, (_, name, at) => value(name, template[at - 1] ?? ""));
}

/**
 * Where an address leads: scheme, host and port; empty if it is none, or has a password in it.
 * @param {string} text
 */
function hostOf(text) {
    const address = URL.canParse(text) ? new URL(text) : null;
    return !address || address.username || address.password ? "" : `${address.protocol}//${address.host}`;
}
