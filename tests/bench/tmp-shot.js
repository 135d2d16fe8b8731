import puppeteer from "puppeteer-core";
import { serve } from "../browser/support/server.js";
const [log, width, out, scheme = "light"] = process.argv.slice(2);
const server = await serve(process.env.DIST, "/", { within: true });
const browser = await puppeteer.launch({ browser: "chrome", executablePath: process.env.PROGRAM, args: ["--no-sandbox", "--disable-background-networking", "--disable-quic"] });
const page = await browser.newPage();
await page.setViewport({ width: Number(width), height: 900, deviceScaleFactor: Number(process.env.DPR ?? 2) });
await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
await page.goto(server.url, { waitUntil: "networkidle0" });
await (await page.$("pierce/#open-file")).uploadFile(log);
await page.waitForSelector('html[data-state="ready"]');
await new Promise((r) => setTimeout(r, 800));
await page.evaluate(() => { for (const h of document.querySelectorAll("ghc-eventlog-viewer")) for (const b of (h.shadowRoot ?? document).querySelectorAll('button[data-group][aria-expanded="false"]')) b.click(); });
await new Promise((r) => setTimeout(r, 1500));
if (process.env.SCROLL) { await page.evaluate((s) => { for (const h of document.querySelectorAll("ghc-eventlog-viewer")) h.shadowRoot.getElementById("timeline").scrollTop = s; }, Number(process.env.SCROLL)); await new Promise((r) => setTimeout(r, 700)); }
await page.screenshot({ path: out });
await browser.close(); server.close();
