// The drawer's row of tabs. Not all of them may have room: then it scrolls.

import { html, nothing } from "lit";
import { count } from "../format.js";
import { countedBy, sectionsOf, tabHint } from "./panel.js";

/** @typedef {import("./panel.js").Panel} Panel */

/** A tab of which this much can be seen is in view. */
const MOST_OF_TAB = 0.9;

/** How the row scrolls. Its element is made by the drawer. */
export class TabRow {
    #drawer;
    /** How far the row was scrolled to have the chosen tab in view. */
    #revealedAt = 0;

    /** @param {HTMLElement & { tab: string }} drawer */
    constructor(drawer) {
        this.#drawer = drawer;
    }

    get #element() {
        return this.#drawer.querySelector(".tabs");
    }

    /** Scrolls to the chosen tab; but nothing else of the page. */
    reveal() {
        const [row, tab] = [this.#element, this.#drawer.querySelector(`#tab-${this.#drawer.tab}`)];
        if (!row || !tab) return;
        const [frame, box] = [row.getBoundingClientRect(), tab.getBoundingClientRect()];
        row.scrollLeft += Math.min(box.left - frame.left, 0) + Math.max(box.right - frame.right, 0);
        this.#revealedAt = row.scrollLeft;
    }

    /**
     * A button that scrolls to more tabs, shown where there are any. Keys go from tab to tab.
     * @param {"before" | "after"} side
     * @param {string} sign
     * @param {1 | -1} way
     */
    more(side, sign, way) {
        const scroll = () => {
            const row = this.#element;
            row?.scrollBy({ left: way * row.clientWidth * 0.8 });
        };
        return html`<button class="more-tabs ${side}" tabindex="-1" aria-hidden="true" title="More tabs" hidden @click=${scroll}>${sign}</button>`;
    }

    /** Shows which side has more tabs. The browser tells after it has laid them out: asking it would delay the timeline. */
    watch() {
        const row = this.#element;
        const [first, last] = [0, -1].map((at) => [...this.#drawer.querySelectorAll(".tabs button")].at(at));
        if (!row || !first || !last) return;
        const seen = new IntersectionObserver(
            (changes) => {
                for (const { target, intersectionRatio } of changes) {
                    const side = target === first ? "before" : "after";
                    this.#drawer.querySelector(`.more-tabs.${side}`)?.toggleAttribute("hidden", intersectionRatio > MOST_OF_TAB);
                }
            },
            { root: row, threshold: [0, MOST_OF_TAB, 1] },
        );
        for (const tab of [first, last]) seen.observe(tab);
        // Details beside the tabs take room from them, and their numbers come late: the chosen one stays in view, unless the user has
        // scrolled since it was chosen. A row that becomes wider is scrolled back by the browser, as far as it must be.
        const sizes = new ResizeObserver(() => {
            const left = Math.min(this.#revealedAt, row.scrollWidth - row.clientWidth);
            if (Math.abs(row.scrollLeft - left) < 1) this.reveal();
        });
        for (const part of [row, ...row.children]) sizes.observe(part);
    }
}

/**
 * A tab: what a panel is called, and how many things it is about.
 * @param {Panel} panel
 * @param {object} shown
 * @param {boolean} shown.isChosen
 * @param {string[] | null} shown.empty why the panel has nothing to show; null if it has something
 * @param {import("./contents.js").Contents} shown.contents
 * @param {import("../state.js").LogState} shown.log
 * @param {() => void} shown.choose
 */
export function tabButton(panel, { isChosen, empty, contents, log, choose }) {
    const { key, name } = panel;
    const { facts } = contents;
    const own = panel.counted?.(contents, log);
    const counted = empty ? undefined : (own ?? countedBy(panel, facts));
    const marks = (empty ? undefined : own?.marks) ?? "";
    const number = marks || (counted?.count === undefined ? "" : count(counted.count));
    // The tab is wide enough for the whole log's number: a range that is selected moves no tab.
    const most = own?.count ?? countOf(panel, contents.log?.facts.sections ?? []);
    const widest = marks || (most === undefined ? number : count(most));
    const inWords = marks ? html`<span class="visually-hidden">${own?.things}</span>` : nothing;
    // An empty tab can be chosen: it says what is missing, also to users who cannot hover.
    return html`<button
        id="tab-${key}"
        role="tab"
        data-name=${`${name} ${widest}`.trim()}
        aria-controls="panel"
        aria-selected=${isChosen}
        aria-disabled=${empty ? "true" : nothing}
        tabindex=${isChosen ? 0 : -1}
        title=${empty ? empty.join(" ") : tabHint(panel, counted, facts.isOfRange && !own) || nothing}
        @click=${choose}
    >
        <span>${name}${number ? html` <span class="count" aria-hidden=${marks ? "true" : nothing}>${number}</span>` : nothing} ${inWords}</span>
    </button>`;
}

/**
 * The number of things that a panel is about.
 * @param {Panel} panel
 * @param {import("../protocol.js").Section[]} sections
 */
function countOf(panel, sections) {
    return sectionsOf(panel, sections).find((section) => section.count !== undefined)?.count;
}
