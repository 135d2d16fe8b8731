// The findings of a log: the verdict, the account of the time, and what the rules found, the gravest first. The chosen finding is unfolded, and
// its evidence is laid over the timeline.

import { html, nothing } from "lit";
import { Part } from "./part.js";
import { accountPart } from "./account.js";
import { LEVELS, sorted, stakeText } from "../findings.js";
import { percent, visible } from "../format.js";
import { inline } from "../inline.js";
import { counted } from "../words.js";

/** @typedef {import("../findings.js").Finding} Finding */
/** @typedef {import("../findings.js").Evidence} Evidence */

/**
 * What can be done with findings.
 * @typedef {object} FindingActs
 * @property {(id: string, at?: number) => void} choose
 * @property {() => void} leave
 * @property {(id: string) => void} dismiss
 * @property {(ids: string[]) => void} restore lists dismissed ones again
 * @property {(finding: Finding) => void} copy
 * @property {((finding: Finding) => void) | null} link copies a link to it; null where there are no links
 * @property {(part: string) => void} show shows the longest stretch of a part of the account, by its key
 * @property {() => void} followThreads
 * @property {(label: string) => void} each shows each span with a label
 */

/** The findings about spans of one label, which their evidence names: the tab Requests has each of these. */
const OF_SPANS = new Set(["slow-requests"]);

export class LogFindings extends Part {
    static properties = {
        findings: { attribute: false },
        account: { attribute: false },
        chosen: { attribute: false },
        dismissed: { attribute: false },
        times: { attribute: false },
        theme: { attribute: false },
        acts: { attribute: false },
        following: { attribute: false },
        time: { attribute: false },
        printed: { attribute: false },
        listed: { state: true },
    };

    /** The place in the list of the finding that has just been dismissed; -1 for none. */
    #left = -1;

    /** The finding that is being folded while the focus is in it. */
    #folds = "";

    constructor() {
        super();
        /** @type {import("../findings.js").Findings | undefined} */
        this.findings = undefined;
        /** @type {import("../protocol.js").Account | undefined} */
        this.account = undefined;
        /** @type {{ id: string, at: number } | null} */
        this.chosen = null;
        /** @type {readonly string[]} */
        this.dismissed = [];
        /** @type {import("../times.js").Times | null} */
        this.times = null;
        /** @type {import("../theme.js").Theme | null} */
        this.theme = null;
        /** @type {FindingActs | null} */
        this.acts = null;
        /** @type {import("../protocol.js").Following | undefined} */
        this.following = undefined;
        /** What the account is about, if a range is selected. */
        this.time = "";
        this.printed = false;
        /** Whether the parts of the account are listed. */
        this.listed = false;
    }

    render() {
        const { findings, account, theme, acts } = this;
        if (!findings || !acts) return html`<p>Findings come when the log has been read.</p>`;
        const { open, dismissed, fine, waiting, notApplicable } = sorted(findings.findings, this.dismissed);
        return html`
            <p class="verdict">${inline(findings.verdict)}</p>
            ${account && theme ? this.#account(account, theme, acts) : nothing}
            ${
                open.length > 0
                    ? html`<ul class="findings" aria-label="Findings" @keydown=${this.#go}>${open.map((finding) => this.#finding(finding))}</ul>`
                    : html`<p class="none">${nothingText(dismissed.length > 0, waiting.length > 0)}</p>`
            }
            ${this.#waiting(waiting)} ${this.#dismissed(dismissed)}
            ${this.#folded("fine", fine, `${counted(fine.length, "thing")} ${fine.length === 1 ? "is" : "are"} fine`)}
            ${this.#folded("not-applicable", notApplicable, `${counted(notApplicable.length, "rule")} ${notApplicable.length === 1 ? "does" : "do"} not apply to this log`)}
        `;
    }

    /**
     * @param {import("../protocol.js").Account} account
     * @param {import("../theme.js").Theme} theme
     * @param {FindingActs} acts
     */
    #account(account, theme, { show }) {
        const { time, printed, listed } = this;
        const list = () => (this.listed = !listed);
        return accountPart({ account, time, show, chosen: this.chosen?.id ?? "", theme, printed, listed, list });
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        const before = changed.get("chosen")?.id;
        this.#folds = before !== undefined && before !== this.chosen?.id && this.#item(before)?.matches(":focus-within") ? before : "";
    }

    /** @param {import("lit").PropertyValues} changed */
    updated(changed) {
        // The button that had the focus may be gone with the finding's evidence.
        const folded = this.#folds === "" ? null : this.#item(this.#folds);
        if (folded && !folded.matches(":focus-within")) /** @type {HTMLElement | null} */ (folded.querySelector(".head"))?.focus();
        if (changed.has("dismissed") && this.#left >= 0) this.#focusNear(this.#left);
        if (!changed.has("chosen") || !this.chosen) return;
        const { id } = this.chosen;
        if (changed.get("chosen")?.id === id) return;
        const item = this.#item(id);
        // One that is higher than the panel is shown from its title on.
        for (const part of [item, item?.querySelector(".head-row")]) part?.scrollIntoView({ block: "nearest" });
    }

    /** @param {string} id */
    #item(id) {
        return this.querySelector(`[data-finding="${CSS.escape(id)}"]`);
    }

    /** Moves the focus to the title of the chosen finding. */
    focusChosen() {
        /** @type {HTMLElement | null} */ (this.querySelector(".finding[data-chosen] .head"))?.focus();
    }

    /**
     * The arrow keys go from title to title; elsewhere in the list they scroll.
     * @param {KeyboardEvent} event
     */
    #go(event) {
        const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
        const by = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
        const heads = /** @type {HTMLElement[]} */ ([...this.querySelectorAll(".finding .head")]);
        const at = heads.indexOf(/** @type {HTMLElement} */ (target));
        if (by === 0 || at < 0 || altKey || ctrlKey || metaKey || shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        heads[at + by]?.focus();
    }

    /**
     * The button that had the focus is gone with its finding: moves the focus to the one that took its place.
     * @param {number} place
     */
    #focusNear(place) {
        this.#left = -1;
        const heads = [...this.querySelectorAll(".finding .head, details.dismissed > summary")];
        /** @type {HTMLElement | undefined} */ (heads[Math.min(place, heads.length - 1)])?.focus();
    }

    /** @param {string} id */
    #dismiss(id) {
        this.#left = [...this.querySelectorAll(".finding")].findIndex((item) => /** @type {HTMLElement} */ (item).dataset.finding === id);
        this.acts?.dismiss(id);
    }

    /** @param {string[]} ids */
    #restore(ids) {
        this.#left = 0;
        this.acts?.restore(ids);
    }

    /** @param {Finding} finding */
    #finding(finding) {
        const { id, level, title, text } = finding;
        const { sign, word } = LEVELS[level === "warning" ? "warning" : "info"];
        const isChosen = this.chosen?.id === id;
        const stake = stakeText(finding);
        const name = html`<span class="level" aria-hidden="true">${sign}</span> <span class="word">${word}</span> <span class="title">${inline(title)}</span>`;
        const head = this.printed
            ? name
            : html`<button class="head" aria-expanded=${isChosen} title=${isChosen ? "Fold, and take its evidence away" : "Unfold, and show its evidence"} @click=${() => (isChosen ? this.acts?.leave() : this.acts?.choose(id))}>${name}</button>`;
        return html`<li class="finding ${level}" data-finding=${id} ?data-chosen=${isChosen}>
            <div class="head-row"><h3>${head}</h3>${stake ? html`<span class="stake" title=${finding.stakeNs === undefined ? "At stake" : "At stake: time of all capabilities together"}>${stake}</span>` : nothing}</div>
            <p>${inline(text)}</p>
            ${isChosen || this.printed ? this.#details(finding) : nothing}
        </li>`;
    }

    /** @param {Finding} finding */
    #details(finding) {
        const { id, evidence, remedy } = finding;
        const at = this.chosen?.at ?? 0;
        const label = OF_SPANS.has(id) ? evidence[0]?.label : "";
        return html`
            ${remedy ? html`<p class="advice"><span class="muted">Try:</span> ${inline(remedy)}</p>` : nothing}
            ${
                this.printed
                    ? nothing
                    : html`<div class="finding-acts">
                ${evidence.length > 0 ? html`<button class="show" @click=${() => this.acts?.choose(id, at)}>Show</button>` : nothing}
                ${evidence.length > 1 ? html`<button class="next" title="Next place (E)" @click=${() => this.acts?.choose(id, (at + 1) % evidence.length)}>Next place</button>` : nothing}
                ${label ? html`<button class="each" title="Show each span “${visible(label)}” in the tab Requests" @click=${() => this.acts?.each(label)}>Show in Requests</button>` : nothing}
                <button class="copy-finding" @click=${() => this.acts?.copy(finding)}>Copy as Markdown</button>
                ${this.acts?.link ? html`<button class="copy-link" @click=${() => this.acts?.link?.(finding)}>Copy link</button>` : nothing}
                <button class="dismiss" title="Do not list it for this log any more" @click=${() => this.#dismiss(id)}>Dismiss</button>
            </div>`
            }
            ${evidence.length > 0 ? this.#evidence(finding) : nothing}
        `;
    }

    /** @param {Finding} finding */
    #evidence({ id, evidence }) {
        return html`<ol class="evidence" aria-label="Evidence">${evidence.map((piece, at) => this.#piece(id, piece, at))}</ol>`;
    }

    /**
     * @param {string} id
     * @param {Evidence} piece
     * @param {number} at
     */
    #piece(id, { from, to, label }, at) {
        const time = to > from ? this.times?.interval(from, to) : this.times?.text(from);
        const current = this.chosen?.id === id && this.chosen.at === at;
        const text = html`<span class="time">${time}</span> ${visible(label)}`;
        const hint = `${time} ${visible(label)}`;
        if (this.printed) return html`<li>${text}</li>`;
        return html`<li><button class="place" title=${hint} aria-current=${current ? "true" : nothing} @click=${() => this.acts?.choose(id, at)}>${text}</button></li>`;
    }

    /** @param {Finding[]} waiting */
    #waiting(waiting) {
        if (waiting.length === 0) return nothing;
        const what = `${counted(waiting.length, "rule")} ${waiting.length === 1 ? "waits" : "wait"} for threads to be followed`;
        const { following } = this;
        // The bar above the timeline has the progress, and a button that stops it.
        const how = following && !following.stopped ? html` (${percent(following.share)})` : nothing;
        const start =
            this.printed || (following && !following.stopped)
                ? nothing
                : html` <button id="follow-threads" @click=${() => this.acts?.followThreads()}>Follow them</button>`;
        return html`<p class="waiting" title=${waiting.map(({ title }) => visible(title)).join(" · ")}>${what}${how}.${start}</p>`;
    }

    /** @param {Finding[]} dismissed */
    #dismissed(dismissed) {
        if (dismissed.length === 0) return nothing;
        return html`<details class="dismissed">
            <summary>${dismissed.length} dismissed</summary>
            <ul>
                ${dismissed.map(({ id, title }) => html`<li>${inline(title)} <button class="restore" @click=${() => this.#restore([id])}>Restore</button></li>`)}
            </ul>
        </details>`;
    }

    /**
     * @param {string} key
     * @param {Finding[]} all
     * @param {string} name
     */
    #folded(key, all, name) {
        if (all.length === 0) return nothing;
        return html`<details class=${key} ?open=${this.printed}>
            <summary>${name}</summary>
            <ul>
                ${all.map(({ id, title, text, needs }) => html`<li data-finding=${id}>${inline(title)}${text ? html`: <span class="muted">${inline(text)}</span>` : nothing}${needs ? html` Needs <code>${visible(needs)}</code>.` : nothing}</li>`)}
            </ul>
        </details>`;
    }
}

/**
 * What is said where no finding is listed.
 * @param {boolean} isElse whether there are dismissed ones
 * @param {boolean} isSoFar whether rules wait
 */
export function nothingText(isElse, isSoFar) {
    if (!isElse && !isSoFar) return "Nothing was found: no rule passed its limit.";
    return `Nothing ${isElse ? "else " : ""}was found${isSoFar ? " so far" : ""}.`;
}

customElements.define("log-findings", LogFindings);
