// Takes the README's picture: node tests/screenshot.js ADDRESS-OF-THE-PAGE BROWSER LOG, after `cargo xtask build` or while
// `cargo xtask serve` runs.

import { chromium } from "playwright-core";
import { fileURLToPath } from "node:url";

const [address, executablePath, log] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 680 }, deviceScaleFactor: 1.5 });
await page.goto(address);
await page.setInputFiles("#open-file", log);
await page.waitForSelector("html[data-state=ready]");
// Where threads with labels run side by side for a while.
await page.locator("#timeline").hover({ position: { x: 960, y: 130 } });
for (const key of ["w", "w", "w", "w"]) await page.keyboard.press(key);
await page.waitForTimeout(500);
await page.mouse.move(560, 200);
await page.mouse.down();
await page.mouse.move(700, 200);
await page.mouse.move(880, 200);
await page.mouse.up();
await page.locator("#timeline").click({ position: { x: 640, y: 150 } });
await page.locator("#timeline").hover({ position: { x: 760, y: 265 } });
await page.waitForSelector("#tooltip:not([hidden])");
await page.screenshot({ path: fileURLToPath(new URL("../web/screenshot.png", import.meta.url)) });
await browser.close();
