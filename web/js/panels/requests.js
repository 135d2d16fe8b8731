// The instances of a label of the program's own spans: the choice of the label, and what is known of them. A bar of their histogram chooses
// the instances of its durations: the model keeps only the slowest of all, so it looks at the log once more for others.

import { html, nothing } from "lit";
import { Part } from "./part.js";
import { familiesOf, familyOf } from "./each.js";
import { sectionsPanel } from "./section.js";
import { visible } from "../format.js";

/** @typedef {import("./section.js").Shown} Shown */
/** @typedef {import("../protocol.js").Section} Section */
/** @typedef {import("../wishes.js").Within} Within */

/** The column of the instances' durations. */
const DURATION = "duration_ns";

/**
 * A section's figure.
 * @param {Section | undefined} section
 * @param {string} key
 */
function figure(section, key) {
    return section?.figures.find((figure) => figure.key === key)?.value ?? null;
}

/**
 * The durations that were chosen; null for all.
 * @param {Section | undefined} section
 * @returns {Within | null}
 */
export function chosenOf(section) {
    const [from, to] = ["chosen.from_ns", "chosen.to_ns"].map((key) => figure(section, key));
    return typeof from === "number" && typeof to === "number" ? { column: DURATION, from, to } : null;
}

export class LogRequests extends Part {
    static properties = { shownWith: { attribute: false }, labels: { state: true }, looksFor: { state: true }, failed: { state: true } };

    constructor() {
        super();
        /** @type {Shown | null} */
        this.shownWith = null;
        /** Families of labels, then all labels. @type {string[]} */
        this.labels = [];
        /** The label whose instances are being looked at; empty for none. */
        this.looksFor = "";
        /** Whether the last question found nothing. */
        this.failed = false;
    }

    /** @param {string} key */
    #section(key) {
        return this.shownWith?.facts.sections.find((section) => section.key === key);
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        if (changed.has("shownWith")) void this.#askLabels();
    }

    async #askLabels() {
        const labels = (await this.shownWith?.acts.labels()) ?? [];
        const families = familiesOf(labels);
        // "job # (others)" are in "job #", and nobody looks for them alone.
        const alone = labels.filter((label) => !label.endsWith(" (others)") || !families.includes(familyOf(label)));
        const all = [...new Set([...families, ...alone])];
        if (all.join("\0") !== this.labels.join("\0")) this.labels = all;
        // There is nothing to choose from: one label, or all are of one family.
        const isOne = new Set(labels.map(familyOf)).size === 1;
        if (isOne && !this.#label && !this.looksFor && !this.failed) this.shownWith?.acts.eachOf(all[0]);
    }

    /** The label whose instances are shown. */
    get #label() {
        return String(figure(this.#section("requests"), "label") ?? "");
    }

    render() {
        const { shownWith } = this;
        if (!shownWith) return nothing;
        const section = this.#section("requests");
        const label = this.#label;
        const chooser = {
            within: chosenOf(section),
            narrowed: () => {},
            narrow: (/** @type {Within | null} */ within) => void this.#look(label, within?.from, within?.to),
        };
        return html`${shownWith.printed ? nothing : this.#choice(chooser)} ${section ? sectionsPanel([section], { ...shownWith, chooser }) : nothing}`;
    }

    /**
     * Once the options are there: the label that is shown, or looked for. One that was chosen elsewhere is looked for now.
     * @param {import("lit").PropertyValues} changed
     */
    updated(changed) {
        const wanted = this.shownWith?.eachOf ?? "";
        const isNew = changed.has("shownWith") && wanted !== changed.get("shownWith")?.eachOf;
        if (isNew && wanted && wanted !== this.#label && wanted !== this.looksFor) void this.#look(wanted);
        const select = this.querySelector("select");
        if (select) select.value = this.looksFor || this.#label;
    }

    /** @param {import("./histogram.js").Chooser} chooser */
    #choice(chooser) {
        if (this.labels.length === 0) return this.#begin();
        const options = this.labels.map((label) => html`<option value=${label}>${visible(label)}</option>`);
        const hint = html`<span class="muted">Choose a bar to see the spans of its length.</span>`;
        const all = html`<button class="copy" @click=${() => chooser.narrow(null)}>Spans of all durations</button>`;
        return html`<p class="requests-choice">
            <label>Spans of <select class="label" @change=${this.#choose}><option value="">choose a label</option>${options}</select></label>
            ${chooser.within ? all : this.#label ? hint : nothing} <span role="status" class="muted">${this.#status}</span>
        </p>`;
    }

    get #status() {
        if (this.looksFor) return `Looking at each ${visible(this.looksFor)}…`;
        return this.failed ? "They are not known yet." : "";
    }

    /** The spans are not known yet, or there are none. */
    #begin() {
        const spans = this.#section("spans");
        // Threads have been followed.
        if (figure(spans, "count") !== null) return html`<p class="requests-choice muted">${spans?.remark}</p>`;
        return html`<p class="requests-choice muted">
            Spans are known once threads have been followed.
            <button class="copy" @click=${() => void this.shownWith?.acts.requests({ label: "", least: 0, most: Infinity })}>Follow them</button>
        </p>`;
    }

    /** @param {Event & { target: HTMLSelectElement }} event */
    #choose({ target }) {
        if (!target.value) return;
        void this.#look(target.value);
        this.shownWith?.acts.eachOf(target.value);
    }

    /**
     * @param {string} label
     * @param {number} [least] the shortest duration, in ns
     * @param {number} [most] the duration that is too long
     */
    async #look(label, least = 0, most = Infinity) {
        this.looksFor = label;
        const found = await this.shownWith?.acts.requests({ label, least, most });
        // A newer question may have replaced this one.
        if (this.looksFor !== label) return;
        [this.looksFor, this.failed] = ["", found === false];
        if (found) this.shownWith?.acts.say(`Each ${label} is shown below`);
    }
}

customElements.define("log-requests", LogRequests);
