// What somebody does who uses the page for the first time, where it once stopped or misled them.

import assert from "node:assert/strict";
import { chooseTab, onPage, openCorpus, state } from "./support/page.js";
import { described, until } from "./support/see.js";
import { opened } from "./support/view.js";

const COPIES = { permissions: ["clipboard-read", "clipboard-write"], restarts: true };

/** The table of the longest waits, with rows. */
async function waits(page) {
    await chooseTab(page, "threads");
    const table = page.getByRole("grid", { name: "Longest waits", exact: true });
    await table.locator("tbody tr").first().waitFor();
    return table;
}

/** The name of what has the focus. */
const focused = (page) => page.evaluate(() => document.activeElement?.ariaLabel);

onPage("a link to what a thread did selects it again, though that is known only after the threads were followed", COPIES, async (page) => {
    await openCorpus(page, "chat");
    await (await waits(page)).locator("tbody tr").first().click();
    await page.waitForSelector("#details dl");
    const { fields } = await described(page, "#details");
    await page.focus("#timeline");
    await page.keyboard.press("y");
    const link = await until(
        () => page.evaluate(() => navigator.clipboard.readText()),
        (text) => text.includes("select="),
    );
    await page.goto("about:blank");
    await page.goto(link);
    await state(page, "empty");
    await page.evaluate(() => localStorage.clear());
    await openCorpus(page, "chat");
    await page.waitForSelector("#details dl");
    assert.deepEqual((await described(page, "#details")).fields, fields);
});

onPage("Enter and Escape lead from a table's filter to its rows", {}, async (page) => {
    await openCorpus(page, "chat");
    const table = await waits(page);
    const field = page.locator("log-table", { has: table }).locator(".search");
    const atRows = () =>
        until(
            () => focused(page),
            (name) => name === "Longest waits",
        );
    await field.click();
    await page.keyboard.type("blocked");
    await page.keyboard.press("Enter");
    await atRows();
    await field.click();
    // The first one empties the field.
    await page.keyboard.press("Escape");
    await until(
        () => field.textContent(),
        (text) => text === "",
    );
    await page.keyboard.press("Escape");
    await atRows();
});

onPage("the chosen tab stays in view when details take room from the tabs", {}, async (page) => {
    await opened(page);
    await chooseTab(page, "process");
    await page.focus("#timeline");
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
    const hidden = () =>
        page.evaluate(() => {
            const [row, tab] = [".tabs", "#tab-process"].map((selector) => document.querySelector(selector).getBoundingClientRect());
            return Math.max(tab.right - row.right, row.left - tab.left);
        });
    await until(hidden, (by) => by < 1);
    // Without details, the browser scrolls the row back, as it has more room.
    const left = () => page.$eval(".tabs", (row) => row.scrollLeft);
    const before = await left();
    await page.keyboard.press("Escape");
    await page.waitForSelector("#details", { state: "hidden" });
    await until(left, (now) => now < before);
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
    await page.waitForTimeout(300);
    assert.ok((await hidden()) < 1, `${await hidden()}`);
});

onPage("tabs that the user scrolls to stay where they are", { viewport: { width: 420, height: 720 } }, async (page) => {
    await opened(page);
    const left = () => page.$eval(".tabs", (row) => row.scrollLeft);
    await page.click(".more-tabs.after");
    // The button for the tabs before them takes room.
    await page.waitForSelector(".more-tabs.before:not([hidden])");
    await page.waitForTimeout(300);
    assert.ok((await left()) > 100, `${await left()}`);
});

onPage("the tab with the numbers of messages leads to the messages", {}, async (page) => {
    await openCorpus(page, "messages");
    await chooseTab(page, "messages");
    await page.getByRole("button", { name: "List each message" }).click();
    await page.waitForSelector("#tab-search[aria-selected=true]");
    const hits = await until(
        () => page.locator("#panel").innerText(),
        (text) => /Messages\s+\d/.test(text),
    );
    assert.match(hits, /USER_MSG/);
});

onPage("a saved view is among the commands", { restarts: true }, async (page) => {
    await openCorpus(page, "threaded");
    await page.focus("#timeline");
    await page.keyboard.press("v");
    await page.keyboard.type("heap");
    const names = () => page.locator("#headers").innerText();
    await until(names, (text) => !text.includes("Capability 0"));
    await page.click("#arrange-rows");
    await page.locator("dialog[open] [role=textbox]").first().click();
    await page.keyboard.type("memory");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "memory", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Show all rows" }).click();
    await until(names, (text) => text.includes("Capability 0"));
    await page.focus("#timeline");
    await page.keyboard.press(">");
    await page.keyboard.type("memory");
    await page.getByRole("option", { name: "view: memory" }).waitFor();
    await page.keyboard.press("Enter");
    await until(names, (text) => !text.includes("Capability 0"));
});
