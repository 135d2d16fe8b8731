// The tables of the drawer: their rows, heads and notes, for tests that look at them.

import assert from "node:assert/strict";
import { chooseTab } from "./page.js";
import { readTime, until } from "./see.js";

export const pause = ({ start, end }) => end - start;

export const TABLE = ".tab-panel > log-table";
export const clipboard = { permissions: ["clipboard-read", "clipboard-write"] };

/** Opens a tab, and waits until its table has rows. */
export async function openTab(page, key) {
    await chooseTab(page, key);
    await until(
        () => rows(page),
        (seen) => seen.length > 0 && seen.every(([first]) => first !== "…"),
    );
}

/** The texts of the rows' cells at one moment. */
export const rows = (page, table = TABLE) =>
    page.evaluate(
        (selector) =>
            [...document.querySelectorAll(selector)].map((row) =>
                [...row.children].map((cell) => cell.textContent.replace(/[ \n]+/g, " ").trim()),
            ),
        `${table} tbody tr`,
    );

/** The heads: name and order. */
export const heads = (page) =>
    page.$$eval(`${TABLE} thead th`, (all) =>
        all.map((head) => ({ name: head.innerText.replace(/[▴▾]/, "").trim(), order: head.ariaSort })),
    );

/** The index of a column. */
export const columnOf = async (page, name) => (await heads(page)).findIndex((head) => head.name === name);

/** The texts of a column, once `wanted` accepts them. */
export async function column(page, name, wanted) {
    const at = await columnOf(page, name);
    assert.ok(at >= 0, name);
    return until(
        async () => (await rows(page)).map((row) => row[at]),
        (texts) => !texts.includes("…") && wanted(texts),
    );
}

/** The row with the cursor: its place among all rows, from 0, and its texts. */
export const cursor = (page) =>
    page.$eval(`${TABLE} table`, (table) => {
        const id = table.getAttribute("aria-activedescendant");
        const row = id && table.querySelector(`#${id}`);
        return (
            row && {
                at: Number(row.ariaRowIndex ?? row.getAttribute("aria-rowindex")) - 2,
                first: row.firstElementChild.textContent.trim(),
            }
        );
    });

export const box = (page) => page.locator(`${TABLE} .table-box`);
export const note = (page) => page.innerText(`${TABLE} .table-bar .muted`);

/** The first number in a text, with its digits in groups of three. */
export const numberIn = (text) => Number(text.match(/\d[\d\s]*/)?.[0].replace(/\s/g, ""));
export const sorted = (texts, by) => {
    const times = texts.map((text) => readTime(text).ns);
    return times.every((time, at) => at === 0 || by * (time - times[at - 1]) >= 0);
};

/** Makes the drawer high enough for all rows of a small log. */
export async function raise(page) {
    await page.focus("#drawer [role=separator]");
    await page.keyboard.press("End");
}
