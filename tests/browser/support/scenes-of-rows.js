// Scenes of the timeline: shapes of rows, what is drawn over them, and how they are arranged.

import { chooseTab } from "./page.js";
import { chooseMain, fill, focusRow, inLog, pressOn, unfold } from "./scene-steps.js";
import { evidence, markerLines, until } from "./see.js";

/** @type {Record<string, import("./scene-steps.js").Reach>} */
export const ROWS = {
    "lines of a heap": inLog("threaded", (page) => unfold(page, "heap")),
    "rows of spans by label": inLog("spans-user", (page) => unfold(page, "spans")),
    "a row for each thread": inLog("threaded", (page) => unfold(page, "threads")),
    "folded groups": inLog("threaded", async (page) => {
        // Each has the focus in turn, and ← folds it.
        for (const key of ["caps", "gc", "heap"]) await page.locator(`#headers [data-group=${key}]`).press("ArrowLeft");
        await page.waitForSelector("#headers:not(:has(.heading [aria-expanded=true]))");
    }),
    "evidence of a finding": inLog("returned", async (page) => {
        await page.focus("#timeline");
        await page.keyboard.press("n");
        await until(
            () => evidence(page),
            (frame) => frame !== null,
        );
    }),
    "lines of markers": inLog("messages", async (page) => {
        await until(
            () => markerLines(page),
            (lines) => lines.length > 0,
        );
    }),
    "wake-ups of a thread": inLog("threaded", async (page) => {
        await chooseTab(page, "threads");
        await page.getByRole("grid", { name: "Longest waits" }).locator("tbody tr").first().click();
        await page.waitForSelector("#details dl");
    }),
    "samples of a stack": inLog("torn", async (page) => {
        await chooseMain(page);
        await page.locator(".flame-said button", { hasText: "mark on the timeline" }).click();
        await page.waitForSelector(".flame-marked");
        await page.locator(".flame-marked").scrollIntoViewIfNeeded();
    }),
    "filtered rows": inLog("threaded", async (page) => {
        await fill(page, "rows-bar .search", "capability 1");
        await until(
            () => page.locator("#headers .track[data-name]").count(),
            (rows) => rows === 2,
        );
    }),
    "one row only": inLog("threaded", async (page) => {
        await pressOn(page, "Capability 1", "o");
        await page.waitForSelector("#only-some");
    }),
    "picked rows": inLog("threaded", async (page) => {
        for (const name of ["Capability 0", "Capability 1"]) {
            await focusRow(page, name);
            await page.keyboard.press("x");
        }
        await page.waitForSelector(".track.picked");
    }),
};
