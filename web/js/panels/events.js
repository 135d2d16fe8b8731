// The list of events: its order, the query that filters it, and all of the event that is chosen. It follows what is selected on the
// timeline.

import { html, nothing } from "lit";
import { BY_TIME } from "./event-acts.js";
import { IN_RANGE } from "./range-or-whole.js";
import { MOST_COPIED, copyText } from "./copying.js";
import { Part } from "./part.js";
import { faultPart } from "./query-fault.js";
import { Times } from "../times.js";
import { count } from "../format.js";
import { counted } from "../words.js";
import "./event.js";
import "./query-field.js";
import "./table.js";

/** @typedef {import("./acts.js").PanelActs} PanelActs */
/** @typedef {import("../protocol.js").WholeEvent} WholeEvent */

/** Rows in one question when all of them are copied. */
const AT_ONCE = 2048;

/** The rows come again this often, in ms, while more are found. */
const OFTEN = 400;

/** What is known of the events that fit the query. @typedef {{ found: number, state: "counting" | "stopped" | "done" | "waiting" }} Counting */

export class LogEvents extends Part {
    static properties = {
        info: { attribute: false },
        rows: { attribute: false },
        choices: { attribute: false },
        times: { attribute: false },
        totals: { attribute: false },
        counting: { state: true },
        fault: { state: true },
        event: { state: true },
        copying: { state: true },
    };

    /** Counts the questions how many events fit. */
    #asked = 0;
    /** When the rows were last asked for again. */
    #renewed = 0;
    /** The time of the row that the timeline is led to: what gets selected there is no reason to move the list. @type {number | null} */
    #led = null;

    constructor() {
        super();
        /** @type {import("../protocol.js").TableInfo | null} */
        this.info = null;
        /** @type {import("./paged.js").PagedRows | null} */
        this.rows = null;
        /** @type {import("../protocol.js").RowChoice[]} */
        this.choices = [];
        this.times = new Times(0);
        /** Those of the selected range, if there is one. @type {import("../protocol.js").RangeTotals | null} */
        this.totals = null;
        /** @type {PanelActs | null} */
        this.acts = null;
        /** @type {Counting | null} */
        this.counting = null;
        /** Why the last query cannot be read, and its text. @type {{ text: string, fault: import("../protocol.js").QueryFault } | null} */
        this.fault = null;
        /** The event whose details are shown. @type {WholeEvent | null} */
        this.event = null;
        this.copying = false;
    }

    connectedCallback() {
        super.connectedCallback();
        if (this.acts) this.acts.events.selected = this.#select;
    }

    disconnectedCallback() {
        super.disconnectedCallback();
        if (this.acts?.events.selected === this.#select) this.acts.events.selected = null;
        if (this.counting?.state === "counting") this.#stop();
    }

    /** What is listed. */
    get #wish() {
        const { sort = "", filter: types = "", query = "" } = this.rows ?? {};
        return { byTime: sort === BY_TIME, types, query, range: this.totals !== null };
    }

    get #table() {
        return /** @type {import("./table.js").LogTable | null} */ (this.querySelector("log-table"));
    }

    /** @param {import("lit").PropertyValues} changed */
    willUpdate(changed) {
        const { acts, rows } = this;
        if (!acts || !rows) return;
        acts.events.selected = this.#select;
        if (changed.has("rows") && (rows.sort === BY_TIME) !== acts.events.order.byTime)
            rows.sortBy(acts.events.order.byTime ? BY_TIME : "", false);
        const isOther = changed.has("totals") && changed.get("totals") !== undefined;
        // The log has been read, another range is selected, or the tab is shown again.
        if (rows.query && (isOther || (changed.has("info") && this.counting?.state !== "done"))) void this.#count(rows.query);
    }

    render() {
        const { info, rows, acts, choices, times, totals, event } = this;
        if (!info || !rows || !acts) return nothing;
        const table = { ...acts, chosen: this.#show };
        return html`
            <div class="events-list">
                ${this.fault ? faultPart(this.fault.text, this.fault.fault, { alerts: true }) : nothing}
                <log-table
                    class="listing"
                    .info=${info}
                    .rows=${rows}
                    .choices=${choices}
                    .times=${times}
                    .acts=${table}
                    .note=${totals ? IN_RANGE : ""}
                    .tools=${this.#tools(rows, acts)}
                    @filtered=${this.#filtered}
                ></log-table>
            </div>
            ${
                event
                    ? html`<log-event role="region" aria-labelledby="event-title" tabindex="-1" .event=${event} .times=${times} .say=${acts.say} @leave=${this.#leaveEvent}></log-event>`
                    : nothing
            }
        `;
    }

    /**
     * What the bar of the table has besides. The table renders it, so these listeners are functions: methods would be called on the table.
     * @param {import("./paged.js").PagedRows} rows
     * @param {PanelActs} acts
     */
    #tools(rows, acts) {
        return html`<span class="events-bar">
            <label class="order">In order of <select @change=${(/** @type {Event} */ { target }) => this.#reorder(/** @type {HTMLSelectElement} */ (target).value)}>
                <option value=${BY_TIME} ?selected=${rows.sort === BY_TIME}>time</option>
                <option value="" ?selected=${rows.sort !== BY_TIME}>the file</option>
            </select></label>
            <log-query
                .text=${rows.query}
                .complete=${acts.events.complete}
                ?wrong=${this.fault !== null}
                @filter=${(/** @type {CustomEvent<string>} */ { detail }) => void this.#filter(detail)}
                @leave=${() => this.#table?.querySelector("table")?.focus()}
            ></log-query>
            <span id="events-status" role="status" class=${this.counting?.state === "done" ? "visually-hidden" : "muted"}>${this.#status()}</span>
            ${this.#buttons()}
            <button class="copy" aria-disabled=${this.copying} title=${`Copy all rows as lines of JSON, as ghc-eventlog find --json prints them; the first ${count(MOST_COPIED)} if there are more`} @click=${() => void this.#copyLines()}>
                ${this.copying ? "copying…" : "copy as JSON"}
            </button>
        </span>`;
    }

    /** How many events fit the query, as far as known. */
    #status() {
        const { counting } = this;
        if (!counting) return "";
        const { found, state } = counting;
        if (state === "waiting") return "Events are filtered once the log has been read.";
        if (state === "done") return counted(found, "event");
        return `at least ${count(found)}${state === "counting" ? "…" : ", stopped"}`;
    }

    #buttons() {
        const { counting, rows } = this;
        if (!rows?.query) return nothing;
        const stop = html`<button class="copy" title="Stop searching; what was found stays" @click=${() => this.#stop()}>Stop</button>`;
        const on = html`<button class="copy" @click=${() => void this.#count(rows.query)}>Go on</button>`;
        return html`${counting?.state === "counting" ? stop : counting?.state === "stopped" ? on : nothing}
            <button class="copy" @click=${() => void this.#filter("")}>All events</button>`;
    }

    /** @param {string} order */
    #reorder(order) {
        const { acts, rows } = this;
        if (!acts || !rows) return;
        acts.events.order.byTime = order === BY_TIME;
        rows.sortBy(order, false);
        this.#table?.toTop();
        // The rows that are known to come first are others now.
        if (rows.query && this.counting?.state !== "done") void this.#count(rows.query);
        acts.say(rows.sort === BY_TIME ? "In order of time" : "In the order of the file");
        this.requestUpdate();
    }

    /** Other types were chosen. */
    #filtered() {
        if (this.rows?.query) void this.#count(this.rows.query);
    }

    /** @param {string} query empty for all events */
    async #filter(query) {
        const { rows, acts } = this;
        if (!rows || !acts) return;
        this.fault = null;
        if (query) return this.#count(query);
        this.#asked += 1;
        if (this.counting?.state === "counting") acts.events.stop();
        this.counting = rows.atLeast = null;
        rows.find("");
        this.#table?.toTop();
        this.requestUpdate();
    }

    /**
     * Counts the events that fit a query; the list has only those from then on.
     * @param {string} query
     */
    async #count(query) {
        const { rows, acts } = this;
        if (!rows || !acts) return;
        const asked = ++this.#asked;
        const isOver = () => asked !== this.#asked || this.rows !== rows;
        const begin = () => {
            if (query === rows.query) return;
            rows.find(query);
            this.#table?.toTop();
        };
        const report = await acts.events.count({ ...this.#wish, query }, ({ found }) => {
            if (isOver()) return;
            begin();
            this.counting = { found, state: "counting" };
            rows.atLeast = found;
            this.#renew(rows);
        });
        // It was given up, for a newer question or for good.
        if (isOver() || !report) return;
        if (report.fault) {
            this.fault = { text: query, fault: report.fault };
            return;
        }
        begin();
        rows.atLeast = null;
        this.counting = report.counted ? { found: report.counted.found, state: "done" } : { found: 0, state: "waiting" };
        rows.outdate();
        if (report.counted) acts.say(`${counted(report.counted.found, "event")} found`);
    }

    /** Asks for the rows again, now and then. @param {import("./paged.js").PagedRows} rows */
    #renew(rows) {
        const now = performance.now();
        if (now < this.#renewed + OFTEN) return;
        this.#renewed = now;
        rows.outdate();
    }

    #stop() {
        this.#asked += 1;
        this.acts?.events.stop();
        this.counting = { found: this.counting?.found ?? 0, state: "stopped" };
        this.rows?.outdate();
    }

    /** Goes to what is selected on the timeline. @param {import("../protocol.js").Span} span */
    #select = async ({ start, end }) => {
        const led = this.#led;
        this.#led = null;
        const { rows, acts } = this;
        if (!rows || !acts || (led !== null && start <= led && led <= end)) return;
        const place = await acts.events.place(this.#wish, start);
        if (place !== null && this.rows === rows) this.#table?.showRow(place);
    };

    /** Shows all of a row's event. @param {import("./paged.js").Row} row */
    #show = async ({ values, time }) => {
        const at = this.rows?.columns?.findIndex(({ unit }) => unit === "offset") ?? -1;
        const offset = values[at];
        this.#led = time;
        const event = typeof offset === "number" ? await this.acts?.events.read(offset) : null;
        if (!event) return;
        this.event = event;
        // In a narrow window, they are below the list.
        await this.updateComplete;
        this.querySelector("log-event")?.scrollIntoView({ block: "nearest" });
    };

    #leaveEvent() {
        this.event = null;
        this.#table?.querySelector("table")?.focus();
    }

    async #copyLines() {
        const { acts, rows } = this;
        if (!acts || !rows || this.copying) return;
        this.copying = true;
        const wish = this.#wish;
        const most = Math.min(rows.found, MOST_COPIED);
        const lines = async () => {
            const parts = [];
            for (let from = 0; from < most; from += AT_ONCE) {
                const some = await acts.events.lines(wish, from, Math.min(AT_ONCE, most - from));
                if (some === null) return null;
                parts.push(some);
            }
            return parts.join("");
        };
        const cut = most < rows.found ? ` of ${count(rows.found)}` : "";
        acts.say(await copyText(lines(), `${counted(most, "event")}${cut}`));
        this.copying = false;
    }
}

customElements.define("log-events", LogEvents);
