// The page: puts its parts together.

import { Client } from "./client.js";
import { LogDrawer } from "./panels/drawer.js";
import { LogSelection } from "./panels/selection.js";
import { OverviewStrip } from "./overview.js";
import { Picture } from "./picture.js";
import { Store, follow } from "./store.js";
import { Timeline } from "./timeline.js";
import { Tooltip } from "./tooltip.js";
import { POINTER } from "./protocol.js";
import { announce } from "./announce.js";
import { followFiles } from "./files.js";
import { followGestures } from "./gestures.js";
import { followHistory } from "./history.js";
import { followKeys, listKeys } from "./keys.js";
import { followPointer } from "./hover.js";
import { followPrint } from "./print.js";
import { followRange } from "./range.js";
import { followTheme } from "./theme-switch.js";
import { navigation } from "./navigation.js";
import { nothing } from "./state.js";
import { readTheme } from "./theme.js";
import { byId, showScreens } from "./screens.js";
import { loadWasm } from "./wasm.js";
import { Logs } from "./logs.js";
import { clipped, extentOf, holding, resized, whole, within } from "./viewport.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").LogInfo} LogInfo */

/** @type {Store<State>} */
const store = new Store({ ...nothing(), theme: readTheme() });
const picture = new Picture();

const client = new Client(
    loadWasm,
    {
        choose: ({ opening, choice }) => logs.offer(opening, choice),
        progress: ({ opening, log }) => update(opening, log, false),
        ready: ({ opening, log }) => update(opening, log, true),
        failed: ({ opening, text }) => logs.failed(opening, text),
        trouble: ({ opening, text }) => {
            const { troubles } = store.value;
            if (opening === store.value.opening && !troubles.includes(text)) store.set({ troubles: [...troubles, text] });
        },
        window: ({ strips }) => {
            picture.take("window", strips);
            timeline.answered();
        },
        range: ({ totals }) => {
            if (store.value.range) store.set({ totals });
        },
        whole: ({ strips }) => {
            picture.take("whole", strips);
            overview.take(strips);
            timeline.repaint();
        },
    },
    (error) => logs.ended(error),
);
const logs = new Logs(client, store, () => {
    picture.clear();
    overview.take(null);
    void tooltip.show(null, 0);
});

const timeline = new Timeline(
    { box: byId("timeline"), canvas: byId("canvas"), headers: byId("headers"), sizer: byId("sizer") },
    store,
    picture,
    {
        window: (from, to, width, tracks) => client.window(from, to, width, tracks),
        whole: (tracks) => client.whole(overview.pixels, tracks),
        rows: (shown, missing) => client.rows(shown, missing),
    },
);
const { actions, bindings, acts, centre, show, origin } = navigation(store, timeline, client, byId("announcer"), openHelp);
const overview = new OverviewStrip(byId("overview"), store, { centre, show });
const tooltip = new Tooltip(byId("tooltip"), (spot) => client.lookUp(POINTER, spot));

/**
 * A log is read further, or to its end.
 * @param {number} opening
 * @param {LogInfo} log
 * @param {boolean} finished
 */
function update(opening, log, finished) {
    if (!logs.read(opening, log, finished)) return;
    const extent = extentOf(log.status);
    const { view, follows, range } = store.value;
    const all = extent ? whole(extent) : null;
    // What was to come while the log was read need not have come.
    const kept = finished && all && view ? within(view, all, timeline.width) : view;
    const selected = finished && extent && range ? clipped(range, extent) : range;
    logs.set({ log, finished, view: all && (follows || !view) ? all : kept, range: selected });
    if (extent) timeline.outdated();
}

/** What was open before is shown again. */
function cancel() {
    logs.cancel();
    const { log } = store.value;
    if (log?.status.extent) timeline.outdated();
}

/**
 * Shows the surroundings of a time, closely enough for it to be a place.
 * @param {number} time
 */
function showTime(time) {
    const { log, view } = store.value;
    const extent = log && extentOf(log.status);
    if (!extent || !view) return;
    const all = whole(extent);
    const half = Math.min(view.to - view.from, (all.to - all.from) / 20) / 2;
    store.set({ view: within({ from: time - half, to: time + half }, all, timeline.width), follows: false });
}

/**
 * The same from a notice, where there is nothing more to be done.
 * @param {number} time
 */
function goTo(time) {
    showTime(time);
    byId("timeline").focus();
}

/** How far from the panel what is selected stands at least, as a share of the view. */
const ASIDE = 0.1;

/** The log that the selection's panel was last about. */
let selectedIn = 0;

/**
 * The panel of what is selected stands beside the timeline, which is narrower then; no time moves for that.
 * @param {State} state
 */
function showSelection({ span, view, log, finished, follows, opening }) {
    const another = opening !== selectedIn;
    selectedIn = opening;
    const was = timeline.width;
    byId("details").hidden = !span;
    const is = timeline.width;
    const extent = log && extentOf(log.status);
    // Another log's view comes with its selection; and one that is being read stays in view as a whole.
    if (another || was === is || !view || !extent || (follows && !finished)) return;
    const next = within(resized(view, was, is), whole(extent), is);
    // Nor does the panel stand on what was selected.
    const margin = (next.to - next.from) * ASIDE;
    const covered = span && span.start > next.to - margin;
    store.set({ view: covered ? within(holding(next, span.start + margin), whole(extent), is) : next });
}

const help = /** @type {HTMLDialogElement} */ (byId("help"));

/**
 * Whether a click is on what a dialog covers.
 * @param {HTMLDialogElement} dialog
 * @param {MouseEvent} event
 */
function isBeside(dialog, { target, clientX, clientY }) {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
}

function openHelp() {
    help.showModal();
}

followTheme(byId("theme"), (theme) => {
    store.set({ theme });
    if (store.value.log?.status.extent) timeline.outdated();
});
/** @param {string} text */
const say = (text) => (byId("announcer").textContent = text);
/**
 * A button that is gone takes the focus with it.
 * @param {() => void} act
 */
const thenTimeline = (act) => () => {
    act();
    byId("timeline").focus();
};
/** @type {LogDrawer} */ (byId("drawer")).start(store, {
    zoom: acts.showRange,
    clear: thenTimeline(acts.clearRange),
    goTo: (time, track) => {
        showTime(time);
        if (track !== undefined) acts.selectAt(track, time);
    },
    say,
    table: (question) => client.table(question),
});
/** @type {LogSelection} */ (byId("details")).start(store, { step: acts.step, fit: acts.fit, clear: thenTimeline(acts.deselect), say });
follow(store, ({ span, opening }) => [!span, opening], showSelection);
showScreens(store, { choose: (entry) => logs.choose(entry), filter: (text) => logs.filter(text), goTo });
followFiles(byId("open-file"), byId("drop"), (file) => logs.open(file, () => client.open(file)));
followGestures(byId("timeline"), { ...actions, hover: followPointer(store, timeline, tooltip, origin) });
announce(store, say);
followPrint({ store, timeline, overview, picture, box: byId("timeline") });
followHistory(store, show);
followRange(store, (range) => client.range(range));
followKeys(bindings);
listKeys(byId("keys"), bindings);
byId("example").addEventListener("click", () => {
    logs.open({ name: "example.eventlog", size: 0 }, () => client.example());
    // The button is gone, and so is the focus.
    byId("timeline").focus();
});
byId("stop").addEventListener("click", () => client.stop());
byId("cancel").addEventListener("click", cancel);
byId("choose-none").addEventListener("click", cancel);
byId("error-close").addEventListener("click", () => logs.dismiss());
byId("close").addEventListener("click", () => {
    logs.close();
    byId("open-file").focus();
});
byId("help-button").addEventListener("click", openHelp);
help.addEventListener("keydown", (event) => {
    if (event.key !== "?") return;
    // It would open it again.
    event.stopPropagation();
    help.close();
});
help.addEventListener("click", (event) => isBeside(help, event) && help.close());
// `start.js` tells those for whom it does not come so far.
document.documentElement.dataset.started = "";
