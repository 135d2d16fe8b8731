// Every chart has its numbers as text: what is drawn is in the timeline's grid, in a table that its label names, or in a list beside it.

import assert from "node:assert/strict";
import { onPage } from "./support/page.js";
import { SCENES } from "./support/scenes.js";

/** The drawings that are visible, and where their numbers are; empty for one that has none. */
const charts = (page) =>
    page.evaluate(() => {
        const { shadowRoot } = document.querySelector("ghc-eventlog-viewer");
        const visible = (part) => part.checkVisibility() && part.getBoundingClientRect().width > 1;
        const nearby = (part, selector) => part.closest("section, .panel, .timeline, .account")?.querySelector(selector);
        const whereOf = (chart) => {
            const label = chart.getAttribute("aria-label") ?? "";
            // The timeline: the grid over it.
            if (chart.id === "canvas") return shadowRoot.querySelector("#grid[role=grid]:not([hidden])") ? "grid" : "";
            if (chart.matches(".account-bar")) return nearby(chart, "[aria-controls=account-parts]") ? "list" : "";
            // A small picture in a cell says its values itself.
            if (chart.closest("td, th")) return /\d/.test(chart.textContent + label) ? "own text" : "";
            if (/\btable\b/.test(label)) return "named table";
            return /\btable\b/.test(chart.closest("log-flame")?.textContent ?? "") ? "named table" : "";
        };
        const all = [...shadowRoot.querySelectorAll("canvas, svg, .account-bar")].filter(visible);
        return all.map((chart) => ({ chart: chart.id || chart.getAttribute("class") || chart.localName, where: whereOf(chart) }));
    });

const seen = new Set();
for (const scene of ["findings tab", "heap tab", "threads tab", "profile tab", "heap profile", "gc tab"]) {
    onPage(`${scene}: every chart says where its numbers are`, {}, async (page) => {
        await SCENES[scene](page);
        const all = await charts(page);
        assert.ok(all.length >= 2, "the overview, and the timeline");
        assert.deepEqual(
            all.filter(({ where }) => where === ""),
            [],
        );
        for (const { where } of all) seen.add(where);
    });
}

onPage("histograms are tables themselves", {}, async (page) => {
    await SCENES["gc tab"](page);
    const bars = await page.$$eval(".bars", (all) =>
        all.map((bar) => bar.closest("table[aria-label] tr") !== null && /\d/.test(bar.ariaLabel)),
    );
    assert.ok(bars.every(Boolean));
    assert.ok(seen.has("grid") && seen.has("named table"), [...seen].join());
});
