// What a search has found: a list, grouped by what the hits are, each with its moment.

import { html, nothing } from "lit";
import { NO_LINKS } from "../sources/link.js";
import { parsePlace } from "../sources/place.js";
import { placePart } from "../sources/part.js";
import { ends } from "../ends.js";
import { Part } from "./part.js";
import { faultPart } from "./query-fault.js";
import { count, duration, sentence, visible } from "../format.js";
import { isSame } from "../search/hits.js";

/** @typedef {import("../search/hits.js").Search} Search */
/** @typedef {import("../protocol.js").Hit} Hit */
/** @typedef {import("../protocol.js").HitGroup} HitGroup */
/** @typedef {import("../protocol.js").NameGroup} NameGroup */

/**
 * What can be done with what was found.
 * @typedef {object} HitActs
 * @property {(hit: Hit) => void} go
 * @property {((hit: Hit) => void) | null} link copies a link to it; null where there are no links
 * @property {(track: number) => void} goToTrack
 * @property {(query: string) => void} search
 * @property {() => void} onlyRows shows only the rows that have hits
 */

/** Hits of a group that are listed at first, and how many more at a time. */
const FIRST = 20;
const MORE = 200;

export class LogHits extends Part {
    static properties = {
        search: { attribute: false },
        times: { attribute: false },
        sources: { attribute: false },
        acts: { attribute: false },
        listed: { state: true },
    };

    constructor() {
        super();
        /** @type {Search | null} */
        this.search = null;
        /** @type {import("../times.js").Times | null} */
        this.times = null;
        /** Where places in the source lead. */
        this.sources = NO_LINKS;
        /** @type {HitActs | null} */
        this.acts = null;
        /** How many hits of a kind are listed, if not the first ones. @type {Record<string, number>} */
        this.listed = {};
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        if (changed.has("search") && changed.get("search")?.text !== this.search?.text) this.listed = {};
    }

    /** The list goes along with the steps from hit to hit. @param {import("lit").PropertyValues} changed */
    updated(changed) {
        if (changed.get("search")?.chosen !== this.search?.chosen)
            this.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    }

    render() {
        const { search } = this;
        if (!search)
            return html`<p class="muted">No search yet. Press <kbd>/</kbd>, and type a word of a message, a thread’s label or an event’s type.</p>`;
        const { report, runs } = search;
        if (!report) return html`<p class="muted">Searching…</p>`;
        const { fault, found, names = [] } = report;
        if (fault) return faultPart(search.text, fault);
        const groups = found?.groups ?? [];
        const none = runs ? "Nothing found yet; still searching." : html`Nothing in the log fits <code>${visible(search.text)}</code>.`;
        return html`
            ${found ? nothing : html`<p class="muted">Messages, spans and events are searched once the log has been read.</p>`}
            ${found && groups.length === 0 && names.length === 0 ? html`<p>${none}</p>` : nothing}
            ${found?.waitsForReplay ? html`<p class="muted">The program’s own spans are found once threads have been followed.</p>` : nothing}
            ${found?.remarks.map((remark) => html`<p class="muted">${sentence(remark)}</p>`)}
            ${
                hasRows(search)
                    ? html`<button class="copy" id="only-hits" @click=${() => this.acts?.onlyRows()}>show only the rows with hits</button>`
                    : nothing
            }
            ${groups.map((group) => this.#group(group))} ${names.map((group) => this.#names(group))}
        `;
    }

    /** @param {HitGroup} group */
    #group({ kind, title, count: all }) {
        const hits = this.search?.hits[kind] ?? [];
        const shown = this.listed[kind] ?? FIRST;
        const more = Math.min(hits.length - shown, MORE);
        const isCut = shown >= hits.length && all > hits.length && !this.search?.runs;
        return html`<section class="hits" data-kind=${kind}>
            <h3>${title} <span class="muted">${count(all)}</span></h3>
            <ol>${hits.slice(0, shown).map((hit) => this.#hit(hit))}</ol>
            ${more > 0 ? html`<button class="copy" @click=${() => this.#list(kind, shown + MORE)}>${count(more)} more</button>` : nothing}
            ${isCut ? html`<p class="muted">The ${count(hits.length)} nearest to the view are listed, of ${count(all)}. Enter in the search field goes on.</p>` : nothing}
        </section>`;
    }

    /** @param {Hit} hit */
    #hit(hit) {
        const { time, length, cap, thread, type, text } = hit;
        const chosen = this.search?.chosen;
        const where = [cap === undefined ? "" : `cap ${cap}`, thread === undefined ? "" : `thread ${thread}`].filter(Boolean).join(", ");
        const what = html`<span class="what">${type === undefined || text.startsWith(type) ? nothing : html`<b>${type}</b> `}${ends(visible(text))}</span>`;
        return html`<li><button class="hit" aria-current=${chosen && isSame(chosen, hit) ? "true" : nothing} title=${visible(text)} @click=${() => this.acts?.go(hit)}
            ><span class="time">${this.times?.text(time)}</span> ${what} <span class="length">${length === undefined ? nothing : duration(length)}</span> <span class="muted">${where}</span></button
        >${this.acts?.link ? html`<button class="row-link" aria-label="Copy a link to this hit" title="Copy a link to this" @click=${() => this.acts?.link?.(hit)}></button>` : nothing}</li>`;
    }

    /** @param {NameGroup} names */
    #names({ kind, title, count: all, names }) {
        const rest = all - names.length;
        return html`<section class="hits names" data-kind=${kind}>
            <h3>${title} <span class="muted">${count(all)}</span></h3>
            <ol>${names.map((name) => this.#name(name))}</ol>
            ${rest > 0 ? html`<p class="muted">${count(rest)} more</p>` : nothing}
        </section>`;
    }

    /**
     * What is said of a name: of a cost centre or an info table, its module and its place in the source, which may be a link.
     * @param {string} detail
     */
    #detail(detail) {
        const [module, ...rest] = detail.split(" ");
        const source = rest.join(" ");
        return parsePlace(source) ? html`${visible(module)} ${placePart(source, this.sources, module)}` : visible(detail);
    }

    /** @param {NameGroup["names"][0]} found */
    #name({ name, detail, query, track }) {
        const text = html`<span class="what">${ends(visible(name))}</span> <span class="muted">${query === undefined ? this.#detail(detail) : visible(detail)}</span>`;
        const show = track === undefined ? nothing : html` <button class="copy" @click=${() => this.acts?.goToTrack(track)}>Show</button>`;
        if (query === undefined) return html`<li>${text}${show}</li>`;
        return html`<li><button class="hit" title=${`Search for ${visible(query)}`} @click=${() => this.acts?.search(query)}>${text}</button>${show}</li>`;
    }

    /**
     * @param {string} kind
     * @param {number} most
     */
    #list(kind, most) {
        this.listed = { ...this.listed, [kind]: most };
    }
}

/**
 * Whether any of the hits is on a row.
 * @param {Search} search
 */
function hasRows({ inOrder, report }) {
    const isShown = (/** @type {{ track?: number }} */ { track }) => track !== undefined;
    return inOrder.some(isShown) || (report?.names ?? []).some(({ names }) => names.some(isShown));
}

customElements.define("log-hits", LogHits);
