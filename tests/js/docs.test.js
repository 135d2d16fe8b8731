// The documents as pages: their links work, and a dead link is refused.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkAnchors, documents, render } from "../../web/docs.js";

test("every link of the documents' pages leads to a page, a file or an anchor that exists", async () => {
    const out = mkdtempSync(join(tmpdir(), "documents-"));
    try {
        await documents(out);
        const folder = join(out, "docs");
        const pages = readdirSync(folder).filter((name) => name.endsWith(".html"));
        assert.ok(pages.includes("index.html") && pages.includes("guide.html"), pages.join());
        const html = new Map(pages.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
        for (const [name, text] of html) {
            for (const [, target] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
                if (/^https?:|^\.\.\/$/.test(target)) continue;
                const [file, anchor] = target.split("#");
                assert.ok(!file || existsSync(join(folder, file)), `${name} links to ${target}`);
                if (anchor) assert.ok(html.get(file || name).includes(`id="${anchor}"`), `${name} links to ${target}`);
            }
        }
    } finally {
        rmSync(out, { recursive: true });
    }
});

test("a dead link is refused, and one to a source is plain text", () => {
    const of = (source) => render("docs/guide.md", source);
    assert.throws(() => of("[there](nothing.md)"), /nothing\.md, which is not there/);
    assert.throws(() => of("![a picture](pictures/nothing.png)"), /nothing\.png/);
    assert.throws(() => of("[the folder](../docs)"), /has no page/);
    assert.equal(of("[the lock](../crates/xtask/Cargo.toml)").content, "<p>the lock</p>\n");
    const own = of("[here](#a-b)\n\n## A b");
    assert.equal(own.content, '<p><a href="#a-b">here</a></p>\n<h2 id="a-b">A b</h2>\n');
    checkAnchors(new Map([["guide", own]]));
    assert.throws(() => checkAnchors(new Map([["guide", of("[here](#c)")]])), /#c of guide/);
});
