// A section of the facts: its figures, its histograms, its tables, and what a log needs to tell the rest. Sections describe themselves; nothing
// here knows what they are about.

import { html, nothing } from "lit";
import { keyed } from "lit/directives/keyed.js";
import "./flame.js";
import { tableSections } from "./panel.js";
import { isMissing } from "../facts.js";
import { aboutText, figureName } from "./about.js";
import { count, sentence, valueText } from "../format.js";
import { MOST_SHOWN, withoutMiddle } from "../qualified.js";
import "./events.js";
import "./exports.js";
import "./names-from.js";
import { histogramPart } from "./histogram.js";
import "./request.js";
import { WHOLE_LOG } from "./range-or-whole.js";
import "./table.js";
import { TOOLS, ofSection } from "./tools/index.js";
import { NOT_LOGGED, asSentence, inBrackets } from "../why-none.js";

/** @typedef {import("../protocol.js").Section} Section */
/** @typedef {import("../protocol.js").Figure} Figure */
/** @typedef {import("../protocol.js").TableInfo} TableInfo */
/** @typedef {import("./range-or-whole.js").ShownFacts} ShownFacts */

/**
 * What a panel is shown with.
 * @typedef {object} Shown
 * @property {import("../times.js").Times} times how moments are written
 * @property {import("./acts.js").PanelActs} acts
 * @property {import("../theme.js").Theme} theme
 * @property {import("../protocol.js").RangeTotals | null} totals of the selected range, if there is one
 * @property {(table: TableInfo) => import("./paged.js").PagedRows} rowsOf
 * @property {ShownFacts} facts
 * @property {number} opening the number of the log
 * @property {import("./exports.js").ExportAs | null} exportAs saves a profile as another tool reads it; null where that cannot be
 * @property {((file: File) => Promise<string | null>) | null} namesFrom takes names from another log of the same program, and gives a
 *     sentence about that; null until the log has been read
 * @property {{ id: string, name: string, title: string, run: () => void }[]} exports what can be done with all that is said
 * @property {import("../protocol.js").LogInfo} log all that is known of the log
 * @property {{ chosen: import("../findings.js").Chosen | null, dismissed: readonly string[] }} findings the chosen one, and the dismissed ones
 * @property {import("../search/hits.js").Search | null} search what is searched for, and what was found
 * @property {import("../navigation/call-samples.js").MarkedCalls | null} calls the way through a profile whose samples are marked
 * @property {import("../sources/link.js").SourceLinks} sources where places in the source lead
 * @property {readonly import("../notes/notes.js").Note[]} notes
 * @property {import("./histogram.js").Chooser} [chooser] what the bars of histograms choose, if not the rows of a table
 * @property {string} eachOf the label whose spans are looked at, one by one; empty for none
 * @property {boolean} printed whether it is for paper: then no table scrolls
 */

/** Tables of no more rows than this are shown whole where they stand beside others. */
const WHOLE = 200;

/**
 * @param {Pick<Section, "key" | "name" | "figures" | "flag" | "remark">} section
 * @param {Shown} shown
 */
function figureList({ key, name, figures, flag, remark }, shown) {
    if (figures.length === 0) return nothing;
    const pairs = figures.map((figure) => {
        const about = aboutText(key, figure.key) || nothing;
        const id = `${key}.${figure.key}`;
        const row = html`<div class=${`unit-${figure.unit}`} data-key=${id} title=${about}>
            <dt>${shown.printed ? figure.name : figureName({ key, name }, figure)}</dt>
            <dd>${figureText(figure, flag, shown)}</dd>
            ${shown.printed || about === nothing ? nothing : html`<dd class="explanation"></dd>`}
        </div>`;
        // An open explanation is of this figure: another one that comes to stand here begins without it.
        return keyed(id, row);
    });
    return html`<dl class="figures">${pairs}</dl>${remark === undefined ? nothing : html`<p class="remark muted">${remark}</p>`}`;
}

/**
 * A figure's value; what names a moment leads there.
 * @param {Figure} figure
 * @param {string | undefined} flag what the program has to be run with for its log to have what is missing, if that is why
 * @param {Shown} shown
 */
function figureText({ name, unit, value, time }, flag, { times, acts }) {
    const text = valueText(unit, value, times, flag === undefined ? undefined : NOT_LOGGED);
    if (value == null) return html`<span class="unknown">${text}</span>`;
    if (time == null && text.length > MOST_SHOWN)
        return html`${withoutMiddle(text, MOST_SHOWN)} <span class="muted">(${count([...text].length)} letters; whole where it is copied)</span>`;
    if (time == null) return text;
    // How long something took that began then, as the longest pause.
    const length = unit === "duration" ? Number(value) : 0;
    const show = () => (length > 0 ? acts.showStretch(time, time + length) : acts.goTo(time));
    return html`<button class="place" title="Show this time" aria-label=${`${name}: ${text}. Show this time`} @click=${show}>${text}</button>`;
}

/**
 * @param {Pick<Section, "flag" | "none">} section
 * @param {boolean} [isAll] whether nothing of it is logged without that
 */
function needsText(section, isAll = false) {
    const said = asSentence(section, isAll);
    return said ? html`<p class="needs muted">${said}${flagOf(section, "+RTS ", ".")}</p>` : nothing;
}

/**
 * What the program has to be run with, as code.
 * @param {Pick<Section, "flag">} section
 * @param {string} [before] it
 * @param {string} [after]
 */
function flagOf({ flag }, before = "", after = "") {
    return flag === undefined ? nothing : html`<code>${before}${flag}</code>${after}`;
}

/**
 * @param {TableInfo} table
 * @param {Shown} shown
 * @param {boolean} whole
 */
function tablePart(table, shown, whole) {
    const { times, acts, rowsOf, facts, sources, printed } = shown;
    const rows = rowsOf(table);
    const tools = printed ? nothing : TOOLS.get(table.key)?.(shown);
    const note = facts.wholeTables.has(table.key) ? WHOLE_LOG : "";
    const part = html`<log-table .info=${table} .rows=${rows} .times=${times} .acts=${acts} .sources=${sources} .note=${note} ?whole=${printed || (whole && table.rows <= WHOLE)}></log-table>`;
    // Another table begins at its top, without what was typed to filter the last one.
    return html`${tools ?? nothing} ${keyed(rows, part)}`;
}

/**
 * @param {Section} section that has one
 * @param {Shown} shown
 */
function listingPart({ listing }, { times, acts, rowsOf, totals }) {
    if (!listing) return nothing;
    const { table, choices } = listing;
    const rows = rowsOf(table);
    return keyed(
        rows,
        html`<log-events .info=${table} .rows=${rows} .choices=${choices} .times=${times} .acts=${acts} .totals=${totals}></log-events>`,
    );
}

/**
 * Sections that have a panel of their own: their listing fills that, or flame graphs with all tables below them, or else one of their
 * tables; the others stand below it, if they are too wide to stand beside it.
 * @param {Section[]} sections
 * @param {Shown} shown
 */
export function sectionsPanel(sections, shown) {
    const listed = sections.find(({ listing }) => listing);
    const drawn = sections.filter((section) => sameAsGraph(section));
    const tables = sections.flatMap(({ tables }) => tables);
    const stacked = tables.length > 1 && sections.some(({ stacked }) => stacked);
    const isStacked = drawn.length > 0 || stacked;
    const long = isStacked || listed ? undefined : mainOf(tables);
    // What stands below does not stand beside.
    const beside = isStacked ? sections.map((section) => ({ ...section, tables: [] })) : sections;
    return html`
        <div class="beside" role="group" aria-label="Figures" tabindex="0">${beside.map((section) => besidePart(section, long, sections.length > 1, shown))}</div>
        ${listed ? listingPart(listed, shown) : nothing} ${isStacked ? stackedPart(drawn, tables, shown) : nothing}
        ${long ? tablePart(long, shown, false) : nothing}
    `;
}

/**
 * Flame graphs, if there are any, below each of them the tables of its section, and then the others.
 * @param {Section[]} drawn have graphs
 * @param {TableInfo[]} tables
 * @param {Shown} shown
 */
function stackedPart(drawn, tables, shown) {
    const parts = (/** @type {TableInfo[]} */ some) => some.map((table) => tablePart(table, shown, true));
    const withGraphs = drawn.map((section) => html`${graphPart(section, shown)} ${parts(section.tables)}`);
    const others = tables.filter((table) => !drawn.some((section) => section.tables.includes(table)));
    return html`<div class="graph-and-tables">${withGraphs} ${parts(others)}</div>`;
}

/**
 * The table that has the same numbers as the section's flame graph, if it has one.
 * @param {Section} section
 */
function sameAsGraph({ flame, tables }) {
    return flame && tables.find(({ key }) => key === flame[0]);
}

/**
 * @param {Section} section
 * @param {Shown} shown
 */
function graphPart(section, { acts, theme, facts, rowsOf, calls, sources }) {
    const same = sameAsGraph(section);
    if (!same || !section.flame) return nothing;
    const range = facts.isOfRange && !facts.wholeSections.has(section.key);
    const graph = html`<log-flame .acts=${acts} .theme=${theme} .facts=${facts} .section=${section} .unit=${section.flame[1]} .range=${range} .table=${same.name} .marked=${calls} .sources=${sources}></log-flame>`;
    // Another log's begins with all of its frames.
    return keyed(rowsOf(same), graph);
}

/**
 * The table that gets most room: the first whose rows are of times, since those are as many as the log is long, or else the first that
 * has rows.
 * @param {TableInfo[]} tables
 */
function mainOf(tables) {
    const filled = tables.filter(({ rows }) => rows > 0);
    return filled.find(({ columns }) => columns.some(({ unit }) => unit === "time")) ?? filled[0];
}

/**
 * @param {Section} section
 * @param {TableInfo | undefined} long the table that stands elsewhere
 * @param {boolean} named whether to say which section it is
 * @param {Shown} shown
 */
function besidePart(section, long, named, shown) {
    const { key, name, tables } = section;
    if (named && isMissing(section))
        return html`<section class="section" aria-label=${name}><h3>${name}</h3>${needsText(section, true)}</section>`;
    const short = tables.filter((table) => table !== long);
    const whole = shown.facts.wholeSections.has(key) ? html`<p class="muted">${sentence(WHOLE_LOG)}</p>` : nothing;
    return html`<section class="section" aria-label=${name}>
        ${named ? html`<h3>${name}</h3>` : nothing} ${whole} ${figureList(section, shown)} ${needsText(section)} ${rowsPart(section, shown)}
        ${shown.printed ? nothing : TOOLS.get(ofSection(key))?.(shown)}
        ${section.histograms.map((histogram) => histogramPart(histogram, shown.chooser ?? rowsOfIts(histogram, tables, shown)))}
        ${short.map((table) => tablePart(table, shown, true))}
        ${section.requests.map(({ label, table }) => requestPart(label, table, shown))} ${exportsPart(section, shown)}
        ${namesPart(section, shown)}
    </section>`;
}

/**
 * @param {Section} section
 * @param {Shown} shown
 */
function rowsPart({ rowsOf, name, figures }, { acts, printed }) {
    if (printed || rowsOf === undefined || figures.length === 0) return nothing;
    return html`<button class="copy rows-of" title=${`Choose the rows of ${name.toLowerCase()} on the timeline`} @click=${() => acts.rows(rowsOf)}>Rows…</button>`;
}

/**
 * Names that the log lacks may be in another one.
 * @param {Section} section
 * @param {Shown} shown
 */
function namesPart({ figures }, { opening, namesFrom, printed }) {
    // It stays when all are named, to say so.
    const lacks = figures.some(({ key }) => key === "nameless");
    if (!lacks || !namesFrom || printed) return nothing;
    // What it says is about one log.
    return keyed(opening, html`<log-names-from .namesFrom=${namesFrom}></log-names-from>`);
}

/**
 * What other tools can read of it: of the whole log.
 * @param {Section} section
 * @param {Shown} shown
 */
function exportsPart({ exports }, { exportAs, printed }) {
    if (!exportAs || printed || exports.length === 0) return nothing;
    return html`<log-exports .forms=${exports} .exportAs=${exportAs}></log-exports>`;
}

/**
 * @param {string} label
 * @param {TableInfo} table
 * @param {Shown} shown
 */
function requestPart(label, table, shown) {
    const rows = shown.rowsOf(table);
    // Whoever has asked for one log's has not asked for that of the next one.
    return keyed(rows, html`<log-request .label=${label} .table=${() => tablePart(table, shown, true)}></log-request>`);
}

/**
 * The rows where a histogram's values stand one by one, if they are shown.
 * @param {import("../protocol.js").Histogram} histogram
 * @param {TableInfo[]} tables
 * @param {Shown} shown
 */
function rowsOfIts({ rows }, tables, { rowsOf }) {
    const table = tables.find(({ key }) => key === rows?.table);
    return table && rowsOf(table);
}

/**
 * All sections: those whose tables have no panel of their own with their tables, above the others, which are figures.
 * @param {Shown} shown
 */
export function summaryPanel(shown) {
    const own = shown.facts.sections.filter(({ key }) => !shown.facts.wholeSections.has(key));
    const known = own.filter((section) => !isMissing(section));
    const withTables = tableSections(shown.facts);
    const others = known.filter((section) => !withTables.includes(section) && section.figures.length > 0);
    return html`
        ${withTables.map((section) => tableSection(section, shown))}
        <div class="sections">${others.map((section) => besidePart({ ...section, histograms: [], tables: [], requests: [], rowsOf: undefined }, undefined, true, shown))}</div>
        ${missingText(own.filter(isMissing))}
    `;
}

/**
 * A table with the section's name is what the section is about: one heading is enough.
 * @param {Section} section
 * @param {Shown} shown
 */
function tableSection(section, shown) {
    const { name, tables } = section;
    return html`<section class="section" aria-label=${name}>
        ${tables[0].name === name ? nothing : html`<h3>${name}</h3>`} ${tables.map((table) => tablePart(table, shown, true))}
        ${needsText(section)} ${figureList(section, shown)}
    </section>`;
}

/** @param {Section[]} missing */
function missingText(missing) {
    if (missing.length === 0) return nothing;
    const parts = missing.map((section, at) => html`${at > 0 ? ", " : ""}${section.name} (${inBrackets(section)}${flagOf(section)})`);
    return html`<p class="muted">Not in this log: ${parts}</p>`;
}
