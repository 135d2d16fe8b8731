// What stands above the timeline, or in its place: bar, progress, notices, error, choice. All of it follows the store.

import { bytes, date, duration, time, visible } from "./format.js";
import { follow } from "./store.js";
import { choiceText, listText, noticeText, plain, progressText, stillOpen } from "./words.js";
import { element, factTexts } from "./describe.js";

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
 * What can be done on the screens.
 * @typedef {object} Acts
 * @property {(entry: number) => void} choose takes an entry of an archive
 * @property {(text: string) => void} filter lists those entries that have a text in their names
 * @property {(time: number) => void} goTo shows a time
 */

/**
 * @param {import("./store.js").Store<State>} store
 * @param {Acts} acts
 */
export function showScreens(store, acts) {
    const { dataset } = document.documentElement;
    follow(store, ({ phase, log }) => [phase, !log], ({ phase, log }) => {
        dataset.state = phase;
        dataset.log = log ? "open" : "none";
    });
    follow(store, ({ error, log }) => [error, !log], showError);
    follow(store, ({ next }) => [next?.choice], (state) => showChoice(state, acts));
    follow(store, ({ log, file, next }) => [log, file, next?.opening], showFacts);
    follow(store, ({ log, phase, file, next }) => [log, phase, file, next], showProgress);
    follow(store, ({ log, troubles }) => [log?.notices.length, log?.read, log?.name, troubles], (state) => showNotices(state, acts));
    let filtering = 0;
    const filter = byId("choose-filter");
    filter.addEventListener("input", () => {
        // One question for a word, not one for each letter.
        clearTimeout(filtering);
        filtering = window.setTimeout(() => acts.filter(filter.textContent.replaceAll("\n", "")), FILTER_REST);
    });
    filter.addEventListener("keydown", (event) => {
        if (event.key === "Enter") event.preventDefault();
        // What is typed here is no key of the timeline's.
        event.stopPropagation();
    });
}

/** How long typing rests before a list is asked for, in ms. */
const FILTER_REST = 80;

/** @param {State} state */
function showError({ error, wrong, log, file }) {
    if (!error) return byId("error").replaceChildren();
    const what = wrong ? element("strong", {}, `${visible(wrong.name)} cannot be shown. `) : "";
    byId("error").replaceChildren(what, `${plain(error)} ${stillOpen({ log, file })}`.trim());
}

/**
 * @param {State} state
 * @param {Acts} acts
 */
function showChoice({ next }, { choose }) {
    const filter = byId("choose-filter");
    if (!next?.choice) {
        filter.textContent = "";
        return byId("choose-list").replaceChildren();
    }
    const { choice, file } = next;
    byId("choose-title").textContent = choiceText(file.name, choice);
    byId("choose-text").textContent = listText(choice);
    const buttons = choice.entries.map(({ index, name, size }) => {
        const button = element("button", {}, element("span", {}, visible(name)), element("span", { class: "muted" }, bytes(size)));
        button.addEventListener("click", () => choose(index));
        return element("li", {}, button);
    });
    byId("choose-list").replaceChildren(...buttons);
    // Few can be seen at once.
    filter.hidden = choice.logs <= FEW;
    // Not while somebody types there.
    if (document.activeElement === filter) return;
    if (filter.hidden) byId("choose-list").querySelector("button")?.focus();
    else filter.focus();
}

/** So many logs need no search. */
const FEW = 10;

/** @param {State} state */
function showFacts({ log, file, next }) {
    const program = log?.process.args[0] ?? log?.name ?? file?.name ?? next?.file.name ?? "GHC Eventlog Viewer";
    byId("program").textContent = visible(program);
    byId("program").title = visible(log?.process.args.join(" ") ?? "");
    document.title = log ? `${visible(program)} – GHC Eventlog Viewer` : "GHC Eventlog Viewer";
    const [first, last] = log?.status.extent ?? [0, 0];
    byId("whole-name").replaceChildren(element("span", {}, "Whole log"), element("span", {}, duration(last - first)));
    const texts = log ? factTexts(log, date) : [];
    byId("facts").replaceChildren(...texts.map((text) => Object.assign(element("li", {}, text), { title: text })));
}

/** @param {State} state */
function showProgress({ log, phase, file, next }) {
    if (phase !== "loading") return;
    const [read, size] = next ? [next.read, next.file.size] : [log?.read ?? 0, file?.size ?? 0];
    const bar = /** @type {HTMLProgressElement} */ (byId("progress"));
    bar.value = read / Math.max(size, 1);
    byId("progress-text").textContent = progressText({ log, file, next });
    // Nothing has been read yet that could be kept.
    byId("stop").hidden = next !== null;
}

/**
 * @param {State} state
 * @param {Acts} acts
 */
function showNotices({ log, troubles }, { goTo }) {
    const box = /** @type {HTMLDetailsElement} */ (byId("notices"));
    const notices = log?.notices ?? [];
    const count = troubles.length + notices.length;
    box.hidden = count === 0;
    box.classList.toggle("single", count === 1);
    if (!log || count === 0) return byId("notices-list").replaceChildren();
    const origin = log.status.extent?.[0] ?? 0;
    /** @param {import("./protocol.js").Notice} notice */
    const parts = (notice) => {
        const text = noticeText(notice, log);
        return notice.time === undefined ? [text] : [text, " ", placeButton(notice.time, origin, goTo)];
    };
    const [first = [], ...others] = [...troubles.map((text) => [plain(text)]), ...notices.map(parts)];
    const more = others.length > 0 ? ` And ${others.length} more:` : "";
    byId("notices-summary").replaceChildren(...first, more);
    byId("notices-list").replaceChildren(...others.map((parts) => element("li", {}, ...parts)));
}

/**
 * Goes to a time.
 * @param {number} at
 * @param {number} origin the time that is shown as 0
 * @param {(time: number) => void} goTo
 */
function placeButton(at, origin, goTo) {
    const button = element("button", { class: "place" }, `at ${time(at - origin)}`);
    button.title = "Show this time";
    button.addEventListener("click", (event) => {
        // It stands in the list's heading, which a click would fold.
        event.preventDefault();
        goTo(at);
    });
    return button;
}
