// Places in the source as GHC writes them, and links to them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePlace } from "../../web/js/sources/place.js";
import { addressOf, faultOf } from "../../web/js/sources/link.js";

const short = (text) => {
    const place = parsePlace(text);
    return place && [place.file, place.line, place.column, place.endLine, place.endColumn];
};

test("all forms of GHC's places are read", () => {
    assert.deepEqual(short("src/Main.hs:12:3-20"), ["src/Main.hs", 12, 3, 12, 20]);
    assert.deepEqual(short("src/Main.hs:12:3"), ["src/Main.hs", 12, 3, 12, 0]);
    assert.deepEqual(short("Main.hs:(12,3)-(14,20)"), ["Main.hs", 12, 3, 14, 20]);
    assert.deepEqual(short("Main.hs:12:3-14:20"), ["Main.hs", 12, 3, 14, 20]);
    assert.deepEqual(short("Main.hs:12"), ["Main.hs", 12, 0, 12, 0]);
    assert.deepEqual(short("Main.hs"), ["Main.hs", 0, 0, 0, 0]);
    assert.deepEqual(short("C:\\work\\Main.hs:12:3-20"), ["C:\\work\\Main.hs", 12, 3, 12, 20]);
    assert.deepEqual(short("a (b)/My File.hs:1:1"), ["a (b)/My File.hs", 1, 1, 1, 0]);
    assert.deepEqual(short("dist/build/Lexer.x:7:2"), ["dist/build/Lexer.x", 7, 2, 7, 0]);
    assert.deepEqual(short("Data/Map.hs:<entire-module>"), ["Data/Map.hs", 0, 0, 0, 0]);
    assert.deepEqual(short("a:b.hs:1:2"), ["a:b.hs", 1, 2, 1, 0]);
    assert.equal(parsePlace("src/Main.hs:12:3 in main:Data.Main")?.module, "Data.Main");
    assert.deepEqual(short("src/Main.hs:12:3 in main:Data.Main"), ["src/Main.hs", 12, 3, 12, 0]);
});

test("what is no place is none", () => {
    const texts = ["", "<no location info>", "<entire-module>", "<built-in>", "<generated>", "<interactive>:3:1", "(entire module)"];
    for (const text of [...texts, ":12:3-20", "12:3-20", "main", "Data.Map", "a\nb.hs:1:1", "<command line>:1:1"])
        assert.equal(parsePlace(text), null, text);
});

const TEMPLATE = "https://example.org/me/it/blob/{commit}/{file}#L{line}";

test("a link has the place's values, percent-encoded", () => {
    const links = { template: TEMPLATE, commit: "feature/x" };
    assert.equal(addressOf(links, "src/Main.hs:12:3-20"), "https://example.org/me/it/blob/feature/x/src/Main.hs#L12");
    assert.equal(
        addressOf(links, "./src/My File?#%.hs:(2,1)-(3,4)"),
        "https://example.org/me/it/blob/feature/x/src/My%20File%3F%23%25.hs#L2",
    );
    assert.equal(addressOf(links, "Main.hs"), "https://example.org/me/it/blob/feature/x/Main.hs#L1");
    assert.equal(addressOf(links, "<entire-module>"), null);
    const docs = { template: "https://example.org/{module}.html", commit: "" };
    assert.equal(addressOf(docs, "<entire-module>", "Data.Map"), "https://example.org/Data.Map.html");
    assert.equal(addressOf(docs, "Main.hs:1:1"), null);
    const editor = { template: "vscode://file/home/me/it/{file}:{line}:{column}", commit: "" };
    assert.equal(addressOf(editor, "src/Main.hs:2:7-9"), "vscode://file/home/me/it/src/Main.hs:2:7");
});

test("a log cannot lead a link elsewhere", () => {
    const links = { template: "https://example.org/me/{file}", commit: "" };
    for (const file of ["../../evil/x.hs:1:1", "a/../b.hs:1:1", "..\\x.hs:1:1", "\ud800.hs:1:1"])
        assert.equal(addressOf(links, file), null, file);
    for (const file of [
        "//evil.org/x.hs:1:1",
        "javascript:alert(1).hs:1:1",
        "@evil.org/x.hs:1:1",
        "%2e%2e/x.hs:1:1",
        '"><script>.hs:1:1',
    ]) {
        const address = addressOf(links, file);
        assert.ok(
            address === null || (new URL(address).host === "example.org" && address.startsWith("https://example.org/me/")),
            `${address}`,
        );
        assert.ok(!/["<> ]/.test(address ?? ""));
    }
    // Relative to the host's own name, a file could change it.
    assert.equal(addressOf({ template: "vscode://file{file}", commit: "" }, "evil.hs:1:1"), null);
});

test("a template that could run a script, or leads no one knows where, is refused", () => {
    const fault = (template, commit = "1") => faultOf({ template, commit });
    for (const template of [
        "javascript:alert(1)//{file}",
        "JavaScript:alert(1)//{file}",
        " javascript:{file}",
        "java\nscript:{file}",
        "data:text/html,{file}",
        "blob:https://example.org/{file}",
        "file:///{file}",
        "vbscript:{file}",
        "//example.org/{file}",
        "/{file}",
        "{file}",
        "{module}://example.org/{file}",
        "https://{file}",
        "https://{module}.example.org/{file}",
        "https://example.org:{line}/{file}",
        "https://me:{file}@example.org/",
        "https://me:secret@example.org/{file}",
        "https://example.org\\@evil.org/{file}",
        "vscode://some.extension/{file}",
        "vscode://file.evil/{file}",
        "https://example.org/",
        "https://example.org/{path}/{file}",
        `https://example.org/{file}${"x".repeat(3000)}`,
    ]) {
        assert.notEqual(fault(template), "", template);
        assert.equal(addressOf({ template, commit: "1" }, "src/Main.hs:1:1", "Main"), null, template);
    }
    assert.equal(fault(TEMPLATE), "");
    assert.notEqual(fault(TEMPLATE, ""), "");
    assert.equal(fault("http://localhost:8080/{file}?at={line}"), "");
    assert.equal(fault("idea://open?file={file}&line={line}"), "");
    assert.equal(faultOf({ template: "", commit: "" }), "");
});

test("a module and a commit lead nowhere else, either", () => {
    const links = { template: "https://example.org/docs/{module}", commit: "" };
    for (const module of ["..", ".", "\ud800"]) assert.equal(addressOf(links, "x.hs:1", module), null, module);
    assert.equal(addressOf(links, "x.hs:1", "Data.Map"), "https://example.org/docs/Data.Map");
    // It would stop the page each time when it is drawn.
    assert.notEqual(faultOf({ template: "https://example.org/{commit}/{file}", commit: "\ud800" }), "");
});

test("an absolute path is one, and not the name of another computer", () => {
    const address = (template, text) => addressOf({ template, commit: "" }, text);
    assert.equal(address("vscode://file/{file}:{line}", "/home/me/x.hs:3:1"), "vscode://file/home/me/x.hs:3");
    assert.equal(address("vscode://file/{file}:{line}", "//evil.example/share/x.hs:3:1"), "vscode://file/evil.example/share/x.hs:3");
    assert.equal(address("vscode://file/{file}", String.raw`\\evil.example\share\x.hs:3:1`), "vscode://file/evil.example/share/x.hs");
    assert.equal(address("idea://open?file={file}&line={line}", "/home/me//x.hs:3:1"), "idea://open?file=/home/me/x.hs&line=3");
});
