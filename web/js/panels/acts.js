// What panels can do to the rest of the viewer.

import { showHitRows } from "../arranging/acts.js";
import { eventActs } from "./event-acts.js";
import { handlerOf } from "../protocol.js";
import { chooseFinding, choosePart, dismissFinding, leaveFinding, restoreFindings, targetOf } from "../navigation/evidence.js";
import { leaveCalls, markCalls, stepCalls } from "../navigation/call-samples.js";
import { chooseRows } from "../screens/choosing.js";
import { copyText } from "./copying.js";
import { labelsOf, showEach } from "./each.js";
import { changeShown, shownOf } from "../state.js";
import { part } from "../stage.js";
import { programOf } from "../screens/bar.js";
import { runTexts } from "../describe.js";
import { visible } from "../format.js";
import { toggleOverlay } from "../overlays/overlay.js";
import { sayRange, setRange } from "../navigation/ranges.js";
import { takeNote } from "../notes/taking.js";
import { timeOfNote } from "../notes/notes.js";
import { around, clipped } from "../viewport.js";
import { copyLink, linkTo } from "../link/making.js";
import { inLog, onPage, viewOnPage } from "../page-time.js";
import { goToHit, searchFor } from "../search/searching.js";

/** @typedef {import("../context.js").Context} Context */

/**
 * @typedef {object} MoreActs
 * @property {(from: number, to: number) => void} showStretch shows all of what lasted from one time of the log to another
 * @property {(group: string) => void} rows lets the user choose which rows a group of tracks has
 * @property {import("./findings.js").FindingActs} findings
 * @property {import("./hits.js").HitActs} hits
 * @property {import("./event-acts.js").EventActs} events
 * @property {import("./notes.js").NoteActs} notes
 * @property {() => Promise<string[]>} labels the labels of the program's own spans, those with the most time first
 * @property {(wish: import("../wishes.js").RequestsWish) => Promise<boolean | null>} requests looks at each span with a label
 * @property {(label: string) => void} eachOf chooses the label whose spans are looked at, one by one
 * @property {import("./tools/marker-lines.js").MarkerActs} markers chooses which markers have lines
 * @property {() => number} lowUse the share of the capabilities below which use is low, in percent
 * @property {(percent: number) => void} setLowUse
 */

/** @typedef {import("./table.js").TableActs & import("./flame.js").FlameActs & MoreActs} PanelActs */

/**
 * @param {Context} context
 * @returns {PanelActs}
 */
export function actsOf(context) {
    const { stage, store, log, moving, selecting, tooltip, say } = context;
    /** Selects what a track has at a time of the log on the screen. @param {number} time @param {number} [track] */
    const select = async (time, track) => {
        if (track === undefined) return;
        await selecting.selectAt({ log: shownOf(store.value).number, track, time });
        leaveCovered(context);
    };
    return {
        goTo: (time, track) => {
            moving.showTime(onPage(shownOf(store.value), time));
            void select(time, track);
        },
        showLife: async (from, to, track) => {
            const { range } = store.value;
            const shown = shownOf(store.value);
            const life = viewOnPage(shown, { from, to });
            const all = clipped(life, moving.extent ?? [life.from, life.to]) ?? life;
            const seen = (range && clipped(all, [range.from, range.to])) ?? all;
            // The panel of the selection makes the timeline narrower: what is shown before that would no longer be in view.
            await select(inLog(shown, seen.from), track);
            // Meanwhile, another log may have been opened.
            if (shownOf(store.value).number === shown.number) moving.show(around(seen));
        },
        showStretch: (from, to) => moving.show(around(viewOnPage(shownOf(store.value), { from, to }))),
        say,
        link: stage.own ? (time, track) => void copyLink(context, momentOf(context, time, track)) : null,
        pick: (table, name) => handlerOf(PICKS, table)(context, name),
        rows: (group) => chooseRows(stage, group),
        labels: () => labelsOf(context),
        requests: (wish) => log.ask("requests", wish),
        eachOf: (label) => changeShown(store, { eachOf: label }),
        markers: markerActs(context),
        between: (one, other) => {
            const log = shownOf(store.value);
            setRange(context, viewOnPage(log, { from: Math.min(one, other), to: Math.max(one, other) }));
            sayRange(context);
            const { range, view } = store.value;
            if (range && view && (range.from < view.from || range.to > view.to)) moving.show(around(range));
        },
        lowUse: () => shownOf(store.value).lowUse,
        setLowUse: (lowUse) => changeShown(store, { lowUse }),
        flame: (wish) => log.ask("flame", wish),
        calls: (wish) => log.ask("calls", wish),
        markCalls: (way, name) => markCalls(context, way, name),
        stepCalls: (by) => void stepCalls(context, by),
        setSources: () => /** @type {import("../sources/dialog.js").LogSources} */ (part(stage, "sources-dialog")).show(),
        leaveCalls: () => void leaveCalls(context),
        describe: (parts, point) => (parts ? tooltip.tell(parts, point) : tooltip.hide()),
        roleOf: (module) => shownOf(store.value).modules.of(module),
        findings: findingActs(context),
        hits: hitActs(context),
        events: eventActs(context),
        notes: noteActs(context),
    };
}

/**
 * @param {Context} context
 * @returns {MoreActs["markers"]}
 */
function markerActs({ store, say }) {
    return {
        store,
        choose: (text) => {
            changeShown(store, { markerText: text.trim() });
            say(text.trim() ? `Only markers with ${text.trim()} have lines` : "All markers have lines");
        },
        turn: () => toggleOverlay(store, "markers"),
    };
}

/**
 * What a link to a moment of the log on the screen shows.
 * @param {Context} context
 * @param {number} time
 * @param {number} [track] whose span there is selected
 * @returns {import("../link/making.js").Target}
 */
function momentOf({ store, moving }, time, track) {
    const at = onPage(shownOf(store.value), time);
    return { view: moving.viewAt(at) ?? undefined, select: track === undefined ? null : { track, time: at } };
}

/**
 * @param {Context} context
 * @returns {import("./notes.js").NoteActs}
 */
function noteActs(context) {
    const { stage, store, moving } = context;
    const dialog = /** @type {import("../notes/dialog.js").LogNoting} */ (part(stage, "note-dialog"));
    const viewOf = (/** @type {import("../notes/notes.js").Note} */ note) => {
        const log = shownOf(store.value);
        const { from, to } = viewOnPage(log, timeOfNote(log, note));
        return to > from ? around({ from, to }) : moving.viewAt(from);
    };
    return {
        go: (note) => {
            const view = viewOf(note);
            if (view) moving.show(view);
        },
        edit: (note) => dialog.show(note),
        link: stage.own ? (note) => void copyLink(context, { view: viewOf(note) ?? undefined, select: null }) : null,
        take: () => takeNote(context),
    };
}

/**
 * @param {Context} context
 * @returns {import("./hits.js").HitActs}
 */
function hitActs(context) {
    const { stage, store, log, timeline } = context;
    return {
        link: stage.own ? (hit) => void copyLink(context, momentOf(context, hit.time, hit.track)) : null,
        go: (hit) => void goToHit(context, hit).then(() => leaveCovered(context)),
        goToTrack: async (track) => {
            const slot = await log.ask("slotOf", { track });
            if (slot && !slot.hidden) timeline.reveal(slot);
            else if (slot) await context.selecting.selectAt({ log: store.value.shown, track, time: 0 });
        },
        search: (query) => void searchFor(context, query),
        onlyRows: () => showHitRows(context),
    };
}

/**
 * @param {Context} context
 * @returns {import("./findings.js").FindingActs}
 */
function findingActs(context) {
    const { stage, log, note } = context;
    return {
        choose: (id, at) => void chooseFinding(context, id, { at }),
        leave: () => void leaveFinding(context),
        dismiss: (id) => dismissFinding(context, id),
        restore: (ids) => restoreFindings(context, ids),
        copy: async (finding) => {
            const link = linkTo(context, targetOf(context, finding)) ?? "";
            const about = aboutLog(shownOf(context.store.value), programOf(context.store.value));
            const text = log
                .ask("findingMarkdown", { id: finding.id })
                .then((made) => made && withLink(`${made.trimEnd()}\n\n${about}\n`, link));
            note(await copyText(text, "Finding"));
        },
        link: stage.own ? (finding) => void copyLink(context, targetOf(context, finding)) : null,
        show: (part) => choosePart(context, part),
        followThreads: () => log.send("follow", true),
        each: (label) => showEach(context, label),
    };
}

/**
 * What a finding is about, as Markdown: `stm-retry`, log `stm-retry.eventlog`, GHC-9.0.2 rts_thr_l, `+RTS -N4`. Texts of a log are code,
 * which contains no markup.
 * @param {import("../state.js").LogState} log
 * @param {string} program
 */
function aboutLog({ log }, program) {
    if (!log) return "";
    const code = (/** @type {string} */ text) => `\`${visible(text).replaceAll("`", "'")}\``;
    return [`Program ${code(program)}`, `log ${code(log.name)}`, ...runTexts(log).filter(Boolean).map(code)].join(", ");
}

/**
 * Markdown with a link to its view after it.
 * @param {string} text
 * @param {string} link the address; empty if there is none
 */
function withLink(text, link) {
    return link ? `${text.trimEnd()}\n\n[Show it in the viewer](<${link}>)\n` : text;
}

/**
 * Turns the histogram of a label's spans on, or off if it is on.
 * @param {Context} context
 * @param {string} label
 */
function chooseSpans({ store, say }, label) {
    const { spans } = shownOf(store.value);
    const isChosen = spans.label === label;
    changeShown(store, { spans: { ...spans, label: isChosen ? "" : label } });
    say(isChosen ? "The label's histogram is closed" : `Durations of ${label} are shown above`);
}

/** What picking a row does, by the key of its table. @type {Record<string, (context: Context, name: string) => void>} */
export const PICKS = { spans: chooseSpans, instruments: switchCounter, numbers: switchCounter };

/**
 * Hides the line of a counter, or shows it again.
 * @param {Context} context
 * @param {string} name
 */
function switchCounter({ store, say }, name) {
    const { spans } = shownOf(store.value);
    const isHidden = spans.hidden.includes(name);
    changeShown(store, {
        spans: { ...spans, hidden: isHidden ? spans.hidden.filter((other) => other !== name) : [...spans.hidden, name] },
    });
    say(`The line of ${name} is ${isHidden ? "shown" : "hidden"}`);
}

/**
 * In a narrow window the details cover the table that led to them, so the focus moves there.
 * @param {Context} context
 */
function leaveCovered({ stage, timeline }) {
    const details = part(stage, "details");
    const within = stage.root.activeElement?.closest("log-drawer");
    if (within && !details.hidden && getComputedStyle(details).position !== "static") timeline.focus();
}
