// Steps from the selection by keys: what they leave behind, and what they say where there is nothing to go to.

import assert from "node:assert/strict";
import { onPage } from "./support/page.js";
import { press, until } from "./support/see.js";
import { opened } from "./support/view.js";

onPage("a tooltip goes when a key moves the selection, and comes back with the pointer", {}, async (page) => {
    const { y, left, roles } = await opened(page);
    const at = left + roles.indexOf("running") + 1;
    const hidden = () => page.$eval("#tooltip", (tooltip) => tooltip.hidden);
    await page.mouse.move(at, y);
    await until(hidden, (hidden) => !hidden);
    await press(page, ".");
    assert.ok(await hidden());
    // Steps that move the view, too.
    await press(page, "Shift+ArrowDown");
    await press(page, ".");
    await page.waitForTimeout(300);
    assert.ok(await hidden(), "it came back by itself");
    await page.mouse.move(at + 5, y);
    await until(hidden, (hidden) => !hidden);
});

onPage("a step that leads nowhere says why, on the screen and to screen readers", {}, async (page) => {
    await opened(page);
    const noted = () => page.$eval("#noted", (note) => (note.hidden ? "" : note.textContent));
    const said = () => page.textContent("#announcer");
    await page.keyboard.press("[");
    await until(noted, (text) => text === "Select a thread's span first");
    assert.equal(await said(), await noted());
    await press(page, ".");
    // The first run of the main thread: nobody woke it.
    await page.keyboard.press("[");
    await until(noted, (text) => text === "No thread woke this one up");
    assert.equal(await said(), await noted());
    await page.keyboard.press(",");
    await until(noted, (text) => text === "No earlier span");
    await until(noted, (text) => text === "");
});
