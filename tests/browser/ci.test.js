// ci/report.sh, which CI jobs call, with the program and the viewer of this build.

import { after, test } from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { corpus } from "./support/page.js";

const { DIST, GHC_EVENTLOG } = process.env;
const script = fileURLToPath(new URL("../../ci/report.sh", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ci-"));
after(() => rmSync(folder, { recursive: true }));
copyFileSync(corpus("threaded"), join(folder, "one run.eventlog"));
copyFileSync(corpus("single"), join(folder, "two.eventlog"));
writeFileSync(join(folder, "no log.eventlog.txt"), "hello");

function run(logs, more = {}) {
    rmSync(join(folder, "report"), { recursive: true, force: true });
    const options = `--viewer=${join(DIST, "viewer.html")}${more.OPTIONS ? `\n${more.OPTIONS}` : ""}`;
    const env = { PATH: process.env.PATH, PROGRAM: GHC_EVENTLOG, LOGS: logs, ...more, OPTIONS: options };
    return spawnSync(script, { cwd: folder, env, encoding: "utf8" });
}
const made = (name) => readFileSync(join(folder, "report", name), "utf8");

test("it makes a report of all logs, and adds a summary to the job's", () => {
    const summary = join(folder, "job.md");
    writeFileSync(summary, "before\n");
    const { status, stderr } = run("*.eventlog", { SUMMARY: summary });
    assert.equal(status, 0, stderr);
    assert.equal(made("report.html").match(/<script type="text\/plain" data-log=/g).length, 2);
    const markdown = readFileSync(summary, "utf8");
    assert.ok(markdown.startsWith("before\n### `one run.eventlog`\n") && markdown.includes("### `two.eventlog`\n"), markdown.slice(0, 200));
    assert.equal(markdown.match(/<details>/g).length, markdown.match(/<\/details>/g).length);
    assert.ok(!existsSync(join(folder, "report", "one.md")));
});

test("names may contain anything and are never options", () => {
    const { status, stderr } = run("one run.eventlog\n$(touch pwned).eventlog", {});
    assert.equal(status, 2);
    assert.match(stderr, /there is no \$\(touch pwned\)\.eventlog/);
    assert.ok(!existsSync(join(folder, "pwned")));
    assert.equal(run("one run.eventlog", { OPTIONS: "--embed-limit=1k" }).status, 0);
    assert.ok(made("report.html").includes("data-beside"));
    assert.match(made("summary.md"), /Arguments/);
    assert.equal(run("one run.eventlog", { OPTIONS: "--strip-args\n--embed-limit=1k" }).status, 0);
    for (const name of ["report.html", "summary.md"]) assert.doesNotMatch(made(name), /Arguments[\s\S]{0,40}\+RTS/, name);
    assert.match(made("summary.md"), /GC time/);
});

test("a log that is cut off has a report; a file that is not a log fails the job, and so does no log at all", () => {
    const log = readFileSync(corpus("threaded"));
    writeFileSync(join(folder, "cut.eventlog"), log.subarray(0, log.length - 500));
    const cut = run("cut.eventlog");
    assert.equal(cut.status, 0, cut.stderr);
    assert.match(cut.stderr, /something is missing/);
    assert.ok(made("report.html").length > 0);
    assert.equal(run("no log.eventlog.txt").status, 2);
    assert.equal(run("").status, 2);
    assert.equal(run("none-*.eventlog").status, 2);
});

test("the action and the GitLab job call the existing script", () => {
    const text = (path) => readFileSync(fileURLToPath(new URL(`../../ci/${path}`, import.meta.url)), "utf8");
    assert.match(text("github/action.yml"), /github\.action_path \}\}\/\.\.\/report\.sh/);
    assert.match(text("gitlab.yml"), /\.\/report\.sh/);
    // No script contains an input: it would be run as code.
    for (const [, script] of text("github/action.yml").matchAll(/run: (\|[^-]*|.*)/g)) assert.doesNotMatch(script, /\$\{\{/);
});

test("the jobs that publish the page use what xtask makes", () => {
    const text = (path) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
    const [github, gitlab, release] = ["ci/github/pages.yml", "ci/gitlab-pages.yml", "crates/xtask/src/dist.rs"].map(text);
    // `build` would do, too, but `dist` optimises the wasm as a whole.
    assert.match(github, /run: cargo xtask dist\n/);
    assert.match(github, /path: dist\n/);
    assert.match(text("crates/xtask/src/main.rs"), /\bDist\b/);
    const [, archive] = /tar xzf (\S+)/.exec(gitlab);
    const [, folder] = /mv (\S+) public\n/.exec(gitlab);
    assert.ok(release.includes(`"${archive}"`) && release.includes(`Path::new("${folder}")`), `${archive}, ${folder}`);
});
