// How a scene of the page is reached, step by step, as a user does it.

import { chooseTab, openCorpus } from "./page.js";
import { tablesSettled, until } from "./see.js";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {(page: Page) => Promise<void>} Reach */

/**
 * Types into the search field.
 * @param {Page} page
 * @param {string} text
 */
export async function type(page, text) {
    await page.focus("#timeline");
    await page.keyboard.press("/");
    await page.keyboard.type(text);
}

/** @param {Page} page @param {string} text */
export async function suggest(page, text) {
    await type(page, text);
    await page.waitForSelector("#suggestions:not([hidden]) li");
}

/**
 * Searches, and waits until all is found, and the first hit is gone to.
 * @param {Page} page
 * @param {string} query
 */
export async function search(page, query) {
    await type(page, query);
    await page.keyboard.press("Enter");
    await until(
        () => page.textContent("#search-status"),
        (text) => /^(0 hits|not a query|1 of .*)$/.test(text),
    );
    await page.focus("#timeline");
}

/** Selects a span by the keyboard. @param {Page} page */
export async function selectSpan(page) {
    await page.focus("#timeline");
    await page.keyboard.press(".");
    await page.waitForSelector("#details dl");
}

/**
 * Presses a key of the timeline that opens a dialog.
 * @param {Page} page
 * @param {string} key
 * @param {string} dialog its selector
 */
export async function openBy(page, key, dialog) {
    await page.focus("#timeline");
    await page.keyboard.press(key);
    await page.waitForSelector(`${dialog}[open]`);
}

/**
 * A tab of the drawer, in a log that has something to show there.
 * @param {string} key
 * @param {string} log
 */
export const tab = (key, log) => async (/** @type {Page} */ page) => {
    await openCorpus(page, log);
    await chooseTab(page, key);
    await tablesSettled(page);
};

/** @param {string} log @param {(page: Page) => Promise<void>} then */
export const inLog = (log, then) => async (/** @type {Page} */ page) => {
    await openCorpus(page, log);
    await then(page);
    await tablesSettled(page);
};

/**
 * Scrolls a part of the drawer into view.
 * @param {Page} page
 * @param {string} part
 */
export async function showPart(page, part) {
    await page.waitForSelector(part);
    await page.$eval(part, (box) => box.scrollIntoView());
}

/**
 * Unfolds a group of rows by the keyboard, and scrolls to it: a pointer would be over one of the rows then.
 * @param {Page} page
 * @param {string} group
 */
export async function unfold(page, group) {
    const heading = page.locator(`#headers [data-group=${group}]`);
    await heading.press("ArrowRight");
    await page.waitForSelector(`#headers [data-group=${group}][aria-expanded=true]`);
    await page.$eval(`.group:has([data-group=${group}])`, (box) => box.scrollIntoView());
}

/** Focuses a row's name, which shows its tools. @param {Page} page @param {string} name */
export async function focusRow(page, name) {
    await page.locator(`#headers .track[data-name="${name}"]`).focus();
}

/**
 * Presses a key on a row.
 * @param {Page} page
 * @param {string} name
 * @param {string} key
 */
export async function pressOn(page, name, key) {
    await focusRow(page, name);
    await page.keyboard.press(key);
}

/**
 * Chooses `main` in the call tree of the profile.
 * @param {Page} page
 */
export async function chooseMain(page) {
    await chooseTab(page, "profile");
    await showPart(page, "log-call-tree tbody tr[aria-level]");
    await page.locator("log-call-tree tr", { hasText: "main" }).first().locator(".call-name").click();
}

/**
 * Types into a field, and waits for what it brings: fields of tables act a moment after the last key.
 * @param {Page} page
 * @param {string} field its selector
 * @param {string} text
 */
export async function fill(page, field, text) {
    await page.click(field);
    await page.keyboard.type(text);
}

export const QUERY = "log-events log-query .search";

/**
 * Filters the list of events.
 * @param {Page} page
 * @param {string} query
 * @param {string} [count] what their number begins with
 */
export async function filterEvents(page, query, count) {
    await chooseTab(page, "events");
    await fill(page, QUERY, query);
    await page.keyboard.press("Enter");
    if (count === undefined) return;
    await until(
        () => page.textContent("#events-status"),
        (text) => text.startsWith(count) && text.endsWith("events"),
    );
}
