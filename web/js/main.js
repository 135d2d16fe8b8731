// The page: puts its parts together.

import { Client } from "./client.js";
import { OverviewStrip } from "./overview.js";
import { Picture } from "./picture.js";
import { Store } from "./store.js";
import { Timeline } from "./timeline.js";
import { Tooltip } from "./tooltip.js";
import { POINTER } from "./protocol.js";
import { announce } from "./announce.js";
import { drawnHeight } from "./rows.js";
import { followFiles } from "./files.js";
import { followGestures } from "./gestures.js";
import { followKeys, listKeys } from "./keys.js";
import { followPointer } from "./hover.js";
import { followRange } from "./range.js";
import { followTheme } from "./theme-switch.js";
import { navigation } from "./navigation.js";
import { nothing } from "./state.js";
import { readTheme } from "./theme.js";
import { byId, showScreens } from "./screens.js";
import { clipped, extentOf, whole, within } from "./viewport.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").LogInfo} LogInfo */

/** @type {Store<State>} */
const store = new Store({ ...nothing(), theme: readTheme() });
const picture = new Picture();

const client = new Client(
    {
        choose: ({ entries }) => store.set({ phase: "choosing", entries }),
        progress: ({ log }) => update("loading", log),
        ready: ({ log }) => update("ready", log),
        failed: ({ text }) => fail(text),
        trouble: ({ text }) => {
            const { troubles } = store.value;
            if (!troubles.includes(text)) store.set({ troubles: [...troubles, text] });
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
    fail,
);

const timeline = new Timeline(
    { box: byId("timeline"), canvas: byId("canvas"), headers: byId("headers"), sizer: byId("sizer") },
    store,
    picture,
    (from, to, width, tracks) => client.window(from, to, width, painted(tracks)),
);
const { actions, bindings, centre, origin } = navigation(store, timeline, client, byId("announcer"), openHelp);
const overview = new OverviewStrip(byId("overview"), store, centre);
const tooltip = new Tooltip(byId("tooltip"), (spot) => client.lookUp(POINTER, spot));

/**
 * The log is read further, or to its end.
 * @param {"loading" | "ready"} phase
 * @param {LogInfo} log
 */
function update(phase, log) {
    const extent = extentOf(log.status);
    const { view, follows, range } = store.value;
    const all = extent ? whole(extent) : null;
    // What was to come while the log was read need not have come.
    const kept = phase === "ready" && all && view ? within(view, all, timeline.width) : view;
    const selected = phase === "ready" && extent && range ? clipped(range, extent) : range;
    store.set({ phase, log, view: all && (follows || !view) ? all : kept, range: selected });
    if (extent) paintAnew(log.tracks);
}

/** @param {import("./protocol.js").Track[]} tracks */
function paintAnew(tracks) {
    client.whole(overview.pixels, painted(tracks));
    timeline.outdated();
}

/**
 * Tracks with the colours that they have now.
 * @param {import("./protocol.js").Track[]} tracks
 * @returns {import("./protocol.js").Painted[]}
 */
function painted(tracks) {
    const { filling } = store.value.theme;
    return tracks.map((track) => ({
        id: track.id,
        colours: track.shape === "states" ? track.states.map(({ role }) => filling(role)) : [],
        height: Math.round(drawnHeight(track) * devicePixelRatio),
    }));
}

/** @param {string} text */
function fail(text) {
    const { file } = store.value;
    clear({ phase: "error", error: text, file });
}

/**
 * Something is being opened: whatever was shown goes.
 * @param {{ name: string, size: number }} file
 */
function begin(file) {
    clear({ phase: "loading", file });
}

function close() {
    client.close();
    clear({});
}

/**
 * Nothing is left of the log.
 * @param {Partial<State>} state what is there instead
 */
function clear(state) {
    picture.clear();
    overview.take(null);
    void tooltip.show(null, 0);
    store.set({ ...nothing(), ...state });
}

function openHelp() {
    /** @type {HTMLDialogElement} */ (byId("help")).showModal();
}

followTheme(byId("theme"), (theme) => {
    store.set({ theme });
    if (store.value.log?.status.extent) paintAnew(store.value.log.tracks);
});
showScreens(store, (entry) => {
    store.set({ phase: "loading" });
    client.choose(entry);
});
followFiles(byId("open-file"), byId("drop"), (file) => {
    begin(file);
    client.open(file);
});
followGestures(byId("timeline"), { ...actions, hover: followPointer(store, timeline, tooltip, origin) });
announce(store, (text) => (byId("announcer").textContent = text));
followRange(store, (range) => client.range(range));
followKeys(bindings);
listKeys(byId("keys"), bindings);
byId("example").addEventListener("click", () => {
    begin({ name: "example.eventlog", size: 0 });
    client.example();
});
byId("stop").addEventListener("click", () => client.stop());
byId("cancel").addEventListener("click", close);
byId("choose-none").addEventListener("click", close);
byId("close").addEventListener("click", close);
byId("help-button").addEventListener("click", openHelp);
