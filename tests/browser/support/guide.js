// The walk-throughs of docs/guide.md, as a user clicks them. The test checks where they lead; tests/pictures.js takes pictures of it.

import { chooseTab } from "./page.js";
import { described, lane, markerLines, select, until } from "./see.js";

/** The selection, once there is one. */
export const selected = (page, wanted = () => true) =>
    until(
        () => described(page, "#details").catch(() => null),
        (details) => details !== null && wanted(details),
    );

/** A table by its name, once it has rows. */
async function grid(page, name) {
    const found = page.getByRole("grid", { name, exact: true });
    await found.locator("tbody tr").first().waitFor();
    await until(
        () => found.locator("tbody tr").first().innerText(),
        (text) => !text.startsWith("…"),
    );
    return found;
}

/** What is wrong with my program? Ends with the gravest finding chosen, and its evidence on the timeline; returns its title. */
export async function wrong(page) {
    await chooseTab(page, "findings");
    const finding = page.locator("log-findings .finding").first();
    const title = await finding.locator(".title").innerText();
    await finding.locator(".head").click();
    await finding.locator(".finding-acts").waitFor();
    return title;
}

/** Why does my program pause? */
export async function pause(page) {
    await chooseTab(page, "gc");
    const collections = await grid(page, "Collections");
    await collections.getByRole("columnheader", { name: "Pause", exact: true }).click();
    await until(
        () => collections.locator("thead th[aria-sort=descending]").innerText(),
        (text) => text.includes("Pause"),
    );
    await until(
        () => page.locator("#drawer [aria-busy=true]").count(),
        (busy) => busy === 0,
    );
    await collections.locator("tbody tr").first().click();
    return selected(page, ({ fields }) => "Pause" in fields);
}

/** Which thread waits, and for whom? */
export async function wait(page) {
    await chooseTab(page, "threads");
    const waits = await grid(page, "Longest waits");
    await waits.locator("tbody tr").first().click();
    return selected(page, ({ fields }) => fields.State === "blocked");
}

/** Where did the memory go? */
export async function memory(page) {
    await chooseTab(page, "heap");
    await page.getByRole("button", { name: /^Most live data: / }).click();
    await page.locator(".track.banded").scrollIntoViewIfNeeded();
    await until(
        () => page.locator(".bands li").count(),
        (count) => count > 0,
    );
    await page.keyboard.press("0");
    const row = await page.locator(".track.banded").boundingBox();
    const middle = row.y + row.height / 2;
    const left = row.x + row.width;
    await select(page, left + 200, left + 700, middle);
    await chooseTab(page, "profile");
    return (await grid(page, "From census A to census B")).locator("thead th").allInnerTexts();
}

/** Why do four cores bring nothing? */
export async function cores(page) {
    await chooseTab(page, "summary");
    const capabilities = await grid(page, "Capabilities");
    return capabilities.locator("thead th").allInnerTexts();
}

/** What happened between two markers? */
export async function markers(page) {
    await chooseTab(page, "messages");
    const each = await grid(page, "Each marker");
    await each.locator("tbody tr").first().click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("0");
    const lines = await until(
        () => markerLines(page),
        (found) => found.length > 1,
    );
    const { y } = await lane(page, "Capability 0");
    await select(page, lines[0], lines[1], y);
    return page.innerText("#drawer .chip");
}

/** My log is damaged. */
export async function damage(page) {
    return until(
        () => page.innerText("#notices"),
        (text) => text.trim() !== "",
    );
}

/** All walk-throughs, by the names of their pictures. */
export const WALKS = { wrong, pause, wait, memory, cores, markers, damage };
