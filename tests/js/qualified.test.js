// Names that do not fit are cut where they tell least.

import { test } from "node:test";
import assert from "node:assert/strict";
import { partsOf, shorter, tailFrom, withoutMiddle } from "../../web/js/qualified.js";

test("a name has a package, a module and the name itself", () => {
    const parts = (/** @type {string} */ text) => partsOf(text).join("|");
    assert.equal(parts("containers-0.6.7:Data.Map.Internal.balanceL"), "containers-0.6.7:|Data.Map.Internal.|balanceL");
    assert.equal(parts("main:Main.go"), "main:|Main.|go");
    assert.equal(parts("Data.Map.!"), "|Data.Map.|!");
    assert.equal(parts("<base:GHC.Base.sat_s1>"), "<base:|GHC.Base.|sat_s1>");
    assert.equal(parts("ghc-prim:Maybe"), "ghc-prim:||Maybe");
    assert.equal(parts("balanceL"), "||balanceL");
    assert.equal(parts("Data.Map.insert/Main.go/main"), "|Data.Map.|insert/Main.go/main");
});

test("a module's constants are told apart by the module", () => {
    assert.deepEqual(partsOf("Data.Map.Internal.CAF"), ["", "Data.Map.", "Internal.CAF"]);
    assert.deepEqual(partsOf("Main.CAF/main"), ["", "", "Main.CAF/main"]);
    assert.deepEqual(partsOf("Main.CAFE"), ["", "Main.", "CAFE"]);
});

test("other texts stay whole", () => {
    for (const text of ["", "12 worker", "GET /index: All", "worker: Main", "Done. Next", "a\nb", "(all others)", "0x1234", "3.14"])
        assert.deepEqual([partsOf(text), [...shorter(text)]], [["", "", text], [text]]);
});

test("of a thread without a label, its number is left", () => {
    assert.deepEqual([...shorter("thread 12")], ["thread 12", "12"]);
    assert.deepEqual([...shorter("thread 12 of 13")], ["thread 12 of 13"]);
});

test("package and version go first, then one module after the other", () => {
    assert.deepEqual(
        [...shorter("containers-0.6.7:Data.Map.balanceL")],
        ["containers-0.6.7:Data.Map.balanceL", "…Data.Map.balanceL", "…Map.balanceL", "…balanceL"],
    );
});

test("a long text loses its middle", () => {
    const name = (/** @type {string} */ end) => `worker of the second kind: ${end}`;
    assert.deepEqual([withoutMiddle(name("one"), 19), withoutMiddle(name("two"), 19)], ["worker of th…d: one", "worker of th…d: two"]);
    assert.deepEqual(
        [1, 2, 4, 5].map((most) => withoutMiddle("abcde", most)),
        ["…", "a…", "ab…e", "abcde"],
    );
    assert.equal(withoutMiddle("🦀🦀🦀🦀🦀🦀", 6), "🦀🦀🦀🦀🦀🦀");
    assert.equal(withoutMiddle("🦀🦀🦀🦀🦀🦀", 4), "🦀🦀…🦀");
    for (let most = 1; most < 40; most++)
        for (const letter of ["a", "🦀", "a🦀", "🦀a"]) {
            const text = letter.repeat(50);
            const letters = [...text];
            const tail = Math.floor((most - 1) / 3);
            const ends = [...letters.slice(0, most - 1 - tail), "…", ...letters.slice(letters.length - tail)];
            assert.equal(withoutMiddle(text, most), ends.join(""), "no half letters");
        }
});

test("of a text that may be cut, the end is a part of its own", () => {
    assert.deepEqual(["", "short", "x".repeat(27)].map(tailFrom), [null, null, null]);
    const parts = (/** @type {string} */ text) => [text.slice(0, tailFrom(text) ?? 0), text.slice(tailFrom(text) ?? 0)];
    assert.deepEqual(parts(`${"x".repeat(30)}0123456789`), ["x".repeat(30), "0123456789"]);
    // The halves of a letter, and a letter and its accent, are not torn apart.
    assert.deepEqual(parts(`${"x".repeat(30)}🦀123456789`), [`${"x".repeat(30)}🦀`, "123456789"]);
    assert.deepEqual(parts(`${"x".repeat(30)}e\u0301123456789`), [`${"x".repeat(30)}e\u0301`, "123456789"]);
});
