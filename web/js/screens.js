// What surrounds the timeline: bar, progress, notices, error, panels. All of it follows the store.

import { bytes, count, date, duration, sentence, visible } from "./format.js";
import { describeSpan, element, factTexts, summaryTables, swatch } from "./describe.js";

/** @typedef {import("./state.js").State} State */

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`no #${id}`);
    return /** @type {T} */ (found);
}

/**
 * @param {import("./store.js").Store<State>} store
 * @param {(entry: number) => void} choose takes an entry of an archive
 */
export function showScreens(store, choose) {
    follow(store, ({ phase }) => [phase], ({ phase }) => (document.documentElement.dataset.state = phase));
    follow(store, ({ error }) => [error], showError);
    follow(store, ({ entries }) => [entries], (state) => showEntries(state, choose));
    follow(store, ({ log, file }) => [log, file], showFacts);
    follow(store, ({ log, phase, file }) => [log, phase, file], showProgress);
    follow(store, ({ log, troubles }) => [log, troubles], showNotices);
    follow(store, ({ log, phase, totals }) => [log, phase, totals], showSummary);
    follow(store, ({ log, span }) => [log, span], showDetails);
}

/**
 * Calls `show` when what it depends on has changed.
 * @param {import("./store.js").Store<State>} store
 * @param {(state: State) => unknown[]} on
 * @param {(state: State) => void} show
 */
function follow(store, on, show) {
    /** @type {unknown[] | null} */
    let last = null;
    store.follow((state) => {
        const now = on(state);
        if (last?.every((value, at) => value === now[at])) return;
        last = now;
        show(state);
    });
}

/** @param {State} state */
function showError({ error, file }) {
    if (!error) return byId("error").replaceChildren();
    const what = file ? element("strong", {}, `${visible(file.name)} cannot be shown. `) : "";
    byId("error").replaceChildren(what, sentence(visible(error)));
}

/**
 * @param {State} state
 * @param {(entry: number) => void} choose
 */
function showEntries({ entries, file }, choose) {
    byId("choose-title").textContent = `${visible(file?.name ?? "")} has ${count(entries.length)} eventlogs`;
    const buttons = entries.map(({ name, size }, at) => {
        const button = element("button", {}, element("span", {}, visible(name)), element("span", { class: "muted" }, bytes(size)));
        button.addEventListener("click", () => choose(at));
        return element("li", {}, button);
    });
    byId("choose-list").replaceChildren(...buttons);
    byId("choose-list").querySelector("button")?.focus();
}

/** @param {State} state */
function showFacts({ log, file }) {
    const program = log?.facts.args[0] ?? log?.name ?? file?.name ?? "GHC Eventlog Viewer";
    byId("program").textContent = visible(program);
    byId("program").title = visible(log?.facts.args.join(" ") ?? "");
    document.title = log ? `${visible(program)} – GHC Eventlog Viewer` : "GHC Eventlog Viewer";
    const texts = log ? factTexts(log, date) : [];
    byId("facts").replaceChildren(...texts.map((text) => Object.assign(element("li", {}, text), { title: text })));
}

/** @param {State} state */
function showProgress({ log, phase, file }) {
    if (phase !== "loading") return;
    const read = log?.read ?? 0;
    const size = Math.max(file?.size ?? 0, 1);
    const bar = /** @type {HTMLProgressElement} */ (byId("progress"));
    bar.value = read / size;
    const ahead = log?.status.ahead === undefined ? "" : " · paler: a first look at what comes";
    byId("progress-text").textContent = `${bytes(read)} of ${bytes(size)} · ${count(log?.status.events ?? 0)} events${ahead}`;
}

/** @param {State} state */
function showNotices({ log, troubles }) {
    const notices = [...troubles, ...(log?.notices ?? []).map(({ text }) => text)];
    const box = /** @type {HTMLDetailsElement} */ (byId("notices"));
    box.hidden = notices.length === 0;
    box.classList.toggle("single", notices.length === 1);
    const [first = "", ...others] = notices;
    const more = others.length > 0 ? ` And ${others.length} more:` : "";
    byId("notices-summary").textContent = sentence(visible(first)) + more;
    byId("notices-list").replaceChildren(...others.map((text) => element("li", {}, sentence(visible(text)))));
}

/** @param {State} state */
function showSummary({ log, phase, totals }) {
    if (!log || phase !== "ready") return byId("summary").replaceChildren();
    const what = totals ? `Summary of ${duration(totals.to - totals.from)} selected` : "Summary";
    byId("summary").replaceChildren(element("h2", {}, what), ...summaryTables(log, totals));
    const states = log.tracks.flatMap((track) => track.states);
    const roles = new Map(states.map(({ role, name }) => [role, new Set([name])]));
    for (const { role, name } of states) roles.get(role)?.add(name);
    const entries = [...roles].map(([role, names]) => element("li", {}, swatch(role), [...names].join(", ")));
    byId("legend").replaceChildren(...entries);
}

/** @param {State} state */
function showDetails({ log, span }) {
    const origin = log?.status.extent?.[0] ?? 0;
    const hint = element("p", { class: "muted" }, "Click a span to see what it is; , and . go to its neighbours.");
    byId("details").replaceChildren(...(span ? describeSpan(span, origin, "h2") : [element("h2", {}, "Nothing selected"), hint]));
}
