// Texts from outside, of logs and names of files, on their way out of the page: into the DOM as text, to the clipboard as cells.

import { test } from "node:test";
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { valueText, visible } from "../../web/js/format.js";
import { tsvHead, tsvRow } from "../../web/js/panels/tsv.js";
import { fieldsOf } from "../../web/js/describe.js";

const REST =
    "word \x1b[2J\x07\x7f\u009b31m\u202e\u2066\u200b\u2028\r\nx\t<script>alert(1)</script><img src=x>\"&';`x` ``y\\|@octocat #1 " +
    "https://evil.example 0123456789abcdef0123456789abcdef01234567 [a](x)*b* \u{e0041}";

const TEXTS = ["=cmd()", "@SUM(1)", "-1+1", "+1", "\t=1", '"=1"\t=2', " =1", "\uff1d1"].map((begin) => `${begin} ${REST}`);

/** Hidden characters, by this test's own definition. */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u{e0041}]/u;

const NAME = { key: "name", name: "Name", unit: "text" };
const COUNT = { key: "count", name: "Count", unit: "count" };

test("hidden characters of a text are shown, and nothing else changes", () => {
    for (const text of TEXTS) {
        for (const shown of [visible(text), valueText("text", text, 0)]) {
            assert.doesNotMatch(shown, HIDDEN);
            assert.ok(shown.includes("<script>alert(1)</script>") && shown.includes("@octocat #1"), "text stays text");
        }
        assert.equal(visible(visible(text)), visible(text));
    }
});

test("rows copied for a spreadsheet have one cell for each column, and none is a formula", () => {
    const lines = TEXTS.map((text) => tsvRow([NAME, COUNT], [text, 3], 0));
    lines.push(tsvHead([{ ...NAME, name: TEXTS[0] }, COUNT]));
    for (const line of lines) {
        assert.ok(line.endsWith("\n"));
        const cells = line.slice(0, -1).split("\t");
        assert.equal(cells.length, 2);
        for (const cell of cells) {
            assert.doesNotMatch(cell, HIDDEN);
            assert.doesNotMatch(cell, /^\s*[=+\-@"\uff1d\uff0b\uff0d\uff20]/);
        }
    }
});

test("hidden characters in a span's fields are shown, in tooltips and in the panel", () => {
    for (const text of TEXTS) {
        const span = {
            title: text,
            state: "in a span",
            fields: [
                { name: "Label", kind: "text", value: text },
                { name: "Own", kind: "text", value: "x" },
            ],
        };
        for (const [name, shown] of fieldsOf(span, 0)) assert.doesNotMatch(name + shown, HIDDEN);
    }
});

/** Every file of the page's JavaScript: its name and its text. */
async function sources() {
    const folder = new URL("../../web/js/", import.meta.url);
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".js"));
    return Promise.all(names.map(async (name) => ({ name, source: await readFile(new URL(name, folder), "utf8") })));
}

test("text reaches the DOM only as text: no code of the page parses markup", async () => {
    const parses =
        /\.(?:innerHTML|outerHTML)\s*\+?=[^=]|insertAdjacentHTML|document\.write|unsafeHTML|unsafeSVG|unsafeStatic|createContextualFragment|setHTMLUnsafe|srcdoc/;
    const all = await sources();
    assert.ok(all.length > 100);
    assert.deepEqual(
        all.filter(({ source }) => parses.test(source)).map(({ name }) => name),
        [],
    );
});

test("names of logs and titles that wasm did not make visible go through `visible` where they are shown", async () => {
    const all = new Map((await sources()).map(({ name, source }) => [name.replaceAll("\\", "/"), source]));
    for (const [name, shown] of [
        ["panels/histogram.js", "visible(info.name)"],
        ["panels/selection.js", "visible(span.on)"],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the test searches for it in a source.
        ["panels/selection.js", "tsvCell(span.title), ...fields.map(([name, text]) => `${name}\\t${tsvCell(text)}`)"],
        ["screens/bar.js", "return visible(baseName(log?.process.args[0]) ?? log?.name ?? file?.name"],
        ["screens/choice.js", "visible(name)"],
    ])
        assert.ok(all.get(name)?.includes(shown), `${name}: ${shown}`);
});
