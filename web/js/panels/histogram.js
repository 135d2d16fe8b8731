// A histogram: a table of bins, each with its number of values, drawn as a bar. A click on a bar shows the rows that it counts. Tab goes to
// one of the bars, the arrow keys to the others.

import { html, nothing } from "lit";
import { Part } from "./part.js";
import { count, valuesText, visible } from "../format.js";
import { WHOLE_LOG } from "./range-or-whole.js";
import { counted } from "../words.js";

/** @typedef {import("../protocol.js").Histogram} Histogram */
/** @typedef {Histogram["bins"][number]} Bin */
/** What its bars choose: the rows of a table, or others. @typedef {Pick<import("./paged.js").PagedRows, "within" | "narrow" | "narrowed">} Chooser */

/**
 * @param {Histogram} histogram
 * @param {Chooser | undefined} rows of the table with the single values, if that is shown
 */
export function histogramPart(histogram, rows) {
    return html`<log-histogram .info=${histogram} .rows=${rows ?? null}></log-histogram>`;
}

/**
 * The number of values in a bin.
 * @param {Bin} bin
 */
export function countOf({ counts }) {
    return counts.reduce((sum, here) => sum + here, 0);
}

export class LogHistogram extends Part {
    static properties = { info: { attribute: false }, rows: { attribute: false }, here: { state: true } };

    constructor() {
        super();
        /** @type {Histogram | null} */
        this.info = null;
        /** @type {Chooser | null} */
        this.rows = null;
        /** Where the bin begins whose bar had the focus last. @type {number | null} */
        this.here = null;
    }

    /** Whether it is about a row that was picked in a table. */
    get isOfPicked() {
        return this.info?.key.endsWith(".chosen") ?? false;
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        if (changed.has("rows") && this.rows) this.rows.narrowed = () => this.requestUpdate();
    }

    render() {
        const { info } = this;
        if (!info) return nothing;
        const { key, series, bins, ofWholeLog } = info;
        const name = ofWholeLog ? `${visible(info.name)}, ${WHOLE_LOG}` : visible(info.name);
        const most = Math.max(...bins.map(countOf));
        const full = bins.filter((bin) => countOf(bin) > 0);
        const here = full.find(({ from }) => from === this.here) ?? full.find((bin) => this.#isChosen(bin)) ?? full[0];
        return html`<table class="histogram" aria-label=${name} data-key=${key}>
            <thead>
                <tr>
                    <th scope="col">${name}</th>
                    ${series.map(({ name, role }) => html`<th scope="col" class="number"><span class="swatch" .style=${`background: var(--${role})`}></span> ${name}</th>`)}
                    <td></td>
                </tr>
            </thead>
            <tbody @keydown=${this.#press}>
                ${bins.map((bin) => this.#row(info, bin, { most, isHere: bin === here }))}
            </tbody>
        </table>`;
    }

    /**
     * @param {Histogram} info
     * @param {Bin} bin
     * @param {{ most: number, isHere: boolean }} place the largest number of values in a bin, and whether Tab goes to this one
     */
    #row({ unit, series }, bin, place) {
        const values = valuesText(unit, bin);
        return html`<tr>
            <th scope="row">${values}</th>
            ${bin.counts.map((here) => html`<td class="number">${here === 0 ? "" : count(here)}</td>`)}
            <td class="bar-cell">${this.#bar(bin, values, series, place)}</td>
        </tr>`;
    }

    /**
     * @param {Bin} bin
     * @param {string} values
     * @param {Histogram["series"]} series
     * @param {{ most: number, isHere: boolean }} place
     */
    #bar(bin, values, series, { most, isHere }) {
        const all = countOf(bin);
        if (all === 0) return nothing;
        // Sets styles as properties: a strict content security policy forbids `style` attributes.
        const styleOf = (/** @type {number} */ here, /** @type {number} */ at) =>
            `width: ${(here / most) * 100}%; background: var(--${series[at].role})`;
        const parts = bin.counts.map((here, at) =>
            here === 0 ? nothing : html`<span class="share-of-bar" .style=${styleOf(here, at)}></span>`,
        );
        if (!this.rows || !this.info?.rows) return html`<span class="bars">${parts}</span>`;
        const isChosen = this.#isChosen(bin);
        const act = isChosen ? "Show all rows" : "Show these rows";
        const label = `${values}: ${counted(all, "row")}. ${act}`;
        return html`<button class="bars" tabindex=${isHere ? 0 : -1} @focus=${() => (this.here = bin.from)} aria-pressed=${isChosen} aria-label=${label} title=${act} @click=${() => this.#choose(bin)}>${parts}</button>`;
    }

    /** @param {KeyboardEvent} event */
    #press(event) {
        const bars = /** @type {HTMLElement[]} */ ([...this.querySelectorAll("button.bars")]);
        const at = bars.indexOf(/** @type {HTMLElement} */ (event.target));
        /** @type {Record<string, number>} */
        const ways = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: bars.length - 1 };
        if (at < 0 || !(event.key in ways) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        bars[ways[event.key]]?.focus();
    }

    /** @param {Bin} bin */
    #isChosen({ from, to }) {
        const { rows, info } = this;
        return rows?.within?.column === info?.rows?.column && rows?.within?.from === from && rows.within.to === to;
    }

    /** @param {Bin} bin */
    #choose(bin) {
        const { rows, info } = this;
        if (!rows || !info?.rows) return;
        const { from, to } = bin;
        rows.narrow(this.#isChosen(bin) ? null : { column: info.rows.column, from, to });
    }
}

customElements.define("log-histogram", LogHistogram);
