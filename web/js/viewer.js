// A viewer: puts its parts together.

import { render } from "lit";
import { Client } from "./client.js";
import { Logs } from "./logs.js";
import { OVERLAYS } from "./overlays/index.js";
import { startOverlays } from "./overlays/overlay.js";
import { OverviewStrip } from "./overview.js";
import { Picture } from "./picture.js";
import { Store, follow } from "./store.js";
import { Timeline } from "./timeline.js";
import { Tooltip } from "./tooltip.js";
import { FIRST_WORDS, POINTER } from "./protocol.js";
import { announce } from "./announce.js";
import { followFiles, followLaunches } from "./files.js";
import { followFoldsInAddress } from "./folds.js";
import { followGestures } from "./gestures.js";
import { followHistory } from "./history.js";
import { followKeys } from "./keys.js";
import { followPointer } from "./hover.js";
import { followPrint } from "./print.js";
import { followRange } from "./range.js";
import { FIRST, followScaling } from "./scaling.js";
import { followSelection } from "./aside.js";
import { followTheme } from "./theme-switch.js";
import { rememberedWords, wordsIn } from "./spans.js";
import { asksWhatTheyDid } from "./threads.js";
import { frame } from "./screens/frame.js";
import { loadWasm } from "./parts.js";
import { mark, part } from "./stage.js";
import { contextOf } from "./context.js";
import { fitSelected } from "./navigation/ranges.js";
import { alongTrack } from "./navigation/steps.js";
import { gestureActions } from "./commands/pointing.js";
import { nothing, originOf } from "./state.js";
import { programOf } from "./screens/bar.js";
import { nameOf, urlOf } from "./url.js";
import { requestTurn } from "./frame.js";
import { readTheme } from "./theme.js";
import { style } from "./style.js";
import { followSigns } from "./warming.js";
import { followWish, tellOfView } from "./wish.js";
import { extentOf, rangeWithin, whole, within } from "./viewport.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").LogInfo} LogInfo */
/** @typedef {import("./stage.js").Stage} Stage */

/**
 * Tells the page, also which opening it is about.
 * @typedef {(event: "ready" | "error" | "rangechange" | "select" | "useropen", detail: object | null, opening: number) => void} Tell
 */

/** @typedef {{ shown: number, coming: number, hasFailed: boolean }} Openings numbers of openings, 0 for none; whether the last one could
 *     not be shown */

export class Viewer {
    #stage;
    #store;
    #client;
    #logs;
    #picture = new Picture();
    #timeline;
    #overview;
    #tooltip;
    /** What its parts work with. @type {import("./context.js").Context} */
    #context;
    #colours;
    #wish;
    #tell;
    /** Tells so once what has come is drawn. */
    #drawn = requestTurn(() => this.#client.drawn());

    /**
     * @param {Pick<Stage, "host" | "own" | "signal">} around
     * @param {Tell} tell
     */
    constructor(around, tell) {
        const { host, own } = around;
        this.#tell = tell;
        /** @type {Store<State>} */
        this.#store = new Store({
            ...nothing(),
            theme: readTheme(host),
            scaling: FIRST,
            overlaysOn: {},
            spanWords: own ? rememberedWords() : FIRST_WORDS,
        });
        // Before all: where there can be no worker, what stands in the element stays.
        this.#client = this.#newClient();
        this.#logs = new Logs(this.#client, this.#store, () => this.#turn());
        const root = rootOf(host);
        render(frame(own), root);
        /** @type {Stage} */
        this.#stage = { ...around, root, reach: own ? document : host };
        this.#timeline = this.#newTimeline();
        this.#tooltip = new Tooltip(this.#part("tooltip"), (spot) => this.#client.lookUp(POINTER, spot));
        this.#context = contextOf({
            stage: this.#stage,
            store: this.#store,
            client: this.#client,
            timeline: this.#timeline,
            tooltip: this.#tooltip,
        });
        const { moving } = this.#context;
        this.#overview = new OverviewStrip(this.#part("overview"), this.#store, moving);
        followState(this.#stage, this.#store, tell);
        this.#colours = this.#followColours();
        this.#startScreens();
        this.#startPanels();
        this.#wish = followWish(this.#store, {
            show: (view) => moving.show(view),
            panel: (key) => /** @type {import("./panels/drawer.js").LogDrawer} */ (this.#part("drawer")).choose(key),
        });
        tellOfView(this.#store, tell);
        this.#followUser();
        // `start.js` tells those for whom it does not come so far.
        if (own) mark(around, "started", "");
    }

    /**
     * @param {File} file
     * @returns {number} the opening's
     */
    open(file) {
        let opening = 0;
        this.#logs.open(file, () => (opening = this.#client.open(file)));
        return opening;
    }

    /**
     * Opens a log of a server.
     * @param {string} address a relative one is the document's
     * @param {boolean} asks whether the user must agree if that is another server than the page's own
     * @returns {number} the opening's
     */
    load(address, asks) {
        const url = urlOf(address, document.baseURI);
        const name = url ? nameOf(url) : address;
        let opening = 0;
        this.#logs.open({ name, size: 0 }, () => (opening = this.#client.load(url?.href ?? address, name, asks)));
        return opening;
    }

    /** Gives up what is on its way; what was open before is shown. */
    cancel() {
        this.#cancel();
    }

    /** @param {(now: Openings) => void} listener is called when another log is shown or on its way, and now */
    follow(listener) {
        follow(
            this.#store,
            ({ opening, next, wrong }) => [opening, next?.opening, wrong],
            ({ opening, next, wrong }) => {
                listener({ shown: opening, coming: next?.opening ?? 0, hasFailed: wrong !== null });
            },
        );
    }

    /** Closes whatever is open. */
    close() {
        this.#logs.close();
    }

    /** @param {import("./wish.js").Wish} wish what is to be seen of the log */
    wish(wish) {
        this.#wish(wish);
    }

    /** @param {string | null} words what begins and ends a span of the program's: `BEGIN,END`; null for those of the reader */
    nameSpans(words) {
        const own = this.#stage.own ? rememberedWords() : FIRST_WORDS;
        const spanWords = words === null ? own : wordsIn(words);
        // What is no pair of words is as if it were not there.
        if (spanWords) this.#store.set({ spanWords });
    }

    /** @param {string | null} choice of colours */
    colour(choice) {
        this.#colours.choose(choice);
    }

    /** It has left the page. */
    end() {
        this.#client.end();
        this.#picture.clear();
        // The next one begins anew.
        render(null, this.#stage.root);
    }

    /**
     * @template {HTMLElement} T
     * @param {string} id
     * @returns {T}
     */
    #part(id) {
        return part(this.#stage, id);
    }

    /**
     * The dialog that chooses rows.
     * @param {string} group the key of theirs
     * @returns {import("./screens/choosing.js").RowsDialog}
     */
    #rowsOf(group) {
        return this.#part(`rows-of-${group}`);
    }

    #newClient() {
        const store = this.#store;
        return new Client(
            loadWasm,
            {
                ask: ({ opening, question }) => this.#logs.ask(opening, question),
                loading: ({ opening, ...loading }) => this.#logs.loading(opening, loading),
                choose: ({ opening, choice }) => this.#logs.offer(opening, choice),
                progress: ({ opening, log }) => this.#update(opening, log, false),
                ready: ({ opening, log }) => this.#update(opening, log, true),
                failed: ({ opening, text }) => this.#logs.failed(opening, text),
                trouble: ({ opening, text }) => this.#logs.trouble(opening, text),
                solved: ({ opening, text }) => this.#logs.solved(opening, text),
                window: ({ strips, isLast }) => {
                    this.#picture.take("window", strips);
                    this.#timeline.answered(isLast);
                    this.#pictured();
                    if (!store.value.finished) this.#drawn();
                },
                range: ({ totals }) => {
                    if (store.value.range) store.set({ totals });
                },
                whole: ({ strips }) => {
                    this.#picture.take("whole", strips);
                    this.#overview.take(strips);
                    this.#timeline.repaint();
                    this.#pictured();
                },
            },
            (error) => this.#logs.ended(error),
        );
    }

    /** There is something to draw, in the next frame. */
    #pictured() {
        if (!this.#store.value.pictured) this.#store.set({ pictured: true });
    }

    #newTimeline() {
        return new Timeline(
            { box: this.#part("timeline"), canvas: this.#part("canvas"), headers: this.#part("headers"), sizer: this.#part("sizer") },
            this.#store,
            this.#picture,
            {
                window: (from, to, width, tracks) => this.#client.window(from, to, width, tracks, this.#store.value.bands),
                whole: (tracks) => this.#client.whole(this.#overview.pixels, tracks, this.#store.value.bands),
                rows: (shown, missing) => this.#client.rows(shown, missing),
            },
            this.#stage.own,
            (group) => this.#rowsOf(group).show(),
        );
    }

    #followColours() {
        const bar = /** @type {import("./screens/bar.js").LogBar} */ (this.#part("bar"));
        return followTheme(this.#stage, (theme, choice) => {
            bar.colours = choice;
            this.#store.set({ theme });
            if (this.#store.value.log?.status.extent) this.#timeline.outdated();
        });
    }

    /** What stands above the timeline, or in its place. */
    #startScreens() {
        const store = this.#store;
        const logs = this.#logs;
        const cancel = () => this.#cancel();
        const help = /** @type {import("./screens/help.js").LogHelp} */ (this.#part("keys-help"));
        /** @type {import("./screens/bar.js").LogBar} */ (this.#part("bar")).start(store, {
            open: (file) => this.#openAsUser(file),
            close: () => this.close(),
            help: () => help.show(),
            recolour: () => this.#colours.next(),
        });
        /** @type {import("./screens/progress.js").LogProgress} */ (this.#part("reading")).start(store, {
            stop: () => this.#client.stop(),
            cancel,
        });
        /** @type {import("./screens/following.js").LogFollowing} */ (this.#part("following")).start(store, (on) =>
            this.#client.follow(on),
        );
        /** @type {import("./screens/thread-rows.js").ThreadRows} */ (this.#rowsOf("threads")).start(store);
        /** @type {import("./screens/span-rows.js").SpanRows} */ (this.#rowsOf("spans")).start(store, this.#stage.own);
        /** @type {import("./screens/notices.js").LogNotices} */ (this.#part("lost")).start(store, (time) => this.#goTo(time));
        /** @type {import("./screens/error.js").LogError} */ (this.#part("wrong")).start(store, () => logs.dismiss());
        /** @type {import("./screens/welcome.js").LogWelcome} */ (this.#part("welcome")).start(() => this.#example());
        /** @type {import("./screens/choice.js").LogChoice} */ (this.#part("choice")).start(store, {
            choose: (entry) => logs.choose(entry),
            filter: (text) => logs.filter(text),
            cancel,
        });
        const answers = { allow: this.#thenTimeline(() => logs.allow()), cancel: this.#thenTimeline(cancel) };
        /** @type {import("./screens/question.js").LogQuestion} */ (this.#part("question")).start(store, answers, this.#stage.signal);
        /** @type {import("./screens/whole.js").LogWhole} */ (this.#part("whole-name")).start(store);
    }

    /** What stands around the timeline. */
    #startPanels() {
        const context = this.#context;
        const { selecting } = context;
        const details = /** @type {import("./panels/selection.js").LogSelection} */ (this.#part("details"));
        /** @type {import("./panels/drawer.js").LogDrawer} */ (this.#part("drawer")).start(context);
        details.start(this.#store, {
            step: (next) => selecting.step(alongTrack(next)),
            fit: () => fitSelected(context),
            clear: this.#thenTimeline(() => selecting.deselect()),
            left: () => this.#part("timeline").focus(),
            say: (text) => this.#say(text),
        });
        followSelection(this.#store, this.#timeline, details);
    }

    /** Keys, pointers, files, and what else comes from outside. */
    #followUser() {
        const [stage, store, timeline] = [this.#stage, this.#store, this.#timeline];
        const context = this.#context;
        const open = (/** @type {File} */ file) => this.#openAsUser(file);
        followSigns(stage, () => this.#client.warm());
        followFiles(stage, this.#part("drop"), open);
        followLaunches(stage, open);
        const hover = followPointer(stage, store, timeline, this.#tooltip, () => originOf(store.value));
        followGestures(this.#part("timeline"), { ...gestureActions(context), hover });
        announce(store, (text) => this.#say(text));
        const [overview, picture] = [this.#overview, this.#picture];
        const [paper, left] = [this.#part("paper"), this.#part("unprinted")];
        followPrint({ stage, store, timeline, overview, picture, paper, left, drawer: this.#part("drawer") });
        startOverlays(OVERLAYS, { store, client: this.#client });
        followRange(store, (range) => this.#client.range(range));
        follow(
            store,
            ({ bands: { order, count } }) => [order, count],
            () => store.value.log?.status.extent && timeline.outdated(),
        );
        const asked = (/** @type {State} */ { threads, range, totals }) => [threads, asksWhatTheyDid(threads) && range && totals];
        follow(store, asked, ({ log, threads, range, totals }) => {
            if (log) this.#client.arrange({ ...threads, inRange: range !== null && totals !== null });
        });
        const named = (/** @type {State} */ { log, opening, spans, spanWords }) => [log && opening, spans, spanWords];
        follow(store, named, ({ log, spans, spanWords }) => {
            if (log) this.#client.arrangeSpans({ ...spans, ...spanWords });
        });
        followKeys(context);
        followScaling(stage, store);
        if (stage.own) {
            followHistory(stage.signal, store, (view) => context.moving.show(view));
            followFoldsInAddress(stage.signal, timeline);
        } else followHeight(stage);
    }

    /** Another log is shown from now on, or none: no picture of the last one may stay. */
    #turn() {
        this.#picture.clear();
        this.#overview.take(null);
        void this.#tooltip.show(null, 0);
    }

    /**
     * A log is read further, or to its end.
     * @param {number} opening
     * @param {LogInfo} log
     * @param {boolean} finished
     */
    #update(opening, log, finished) {
        if (!this.#logs.read(opening, log, finished)) return;
        const extent = extentOf(log.status);
        const { view, follows, range } = this.#store.value;
        const all = extent ? whole(extent) : null;
        // What was to come while the log was read need not have come.
        const kept = finished && all && view ? within(view, all, this.#timeline.width) : view;
        const selected = finished && extent && range ? rangeWithin(range, extent) : range;
        this.#logs.set({ log, finished, view: all && (follows || !view) ? all : kept, range: selected });
        if (extent) this.#timeline.outdated();
    }

    /** What was open before is shown again. */
    #cancel() {
        this.#logs.cancel();
        if (this.#store.value.log?.status.extent) this.#timeline.outdated();
    }

    /** @param {File} file */
    #openAsUser(file) {
        this.#forUser();
        this.open(file);
    }

    /** What the page wishes of its log is nothing to one that the user opens. */
    #forUser() {
        this.#wish({ t0: null, t1: null, panel: null });
        this.#tell("useropen", null, 0);
    }

    #example() {
        this.#forUser();
        this.#logs.open({ name: "example.eventlog", size: 0 }, () => this.#client.example());
        // The button is gone, and so is the focus.
        this.#part("timeline").focus();
    }

    /**
     * Shows a time from a notice, where there is nothing more to be done.
     * @param {number} time
     */
    #goTo(time) {
        this.#context.moving.showTime(time);
        this.#part("timeline").focus();
    }

    /** @param {string} text for those who listen */
    #say(text) {
        this.#part("announcer").textContent = text;
    }

    /**
     * A button that is gone takes the focus with it.
     * @param {() => void} act
     */
    #thenTimeline(act) {
        return () => {
            act();
            this.#part("timeline").focus();
        };
    }
}

/**
 * Empty. What stands in the element itself is seen as long as there is none.
 * @param {HTMLElement} host
 */
function rootOf(host) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    return root;
}

/**
 * Beside other content the panels take their share of the viewer's height, not of the window's.
 * @param {Stage} stage
 */
function followHeight({ host, signal }) {
    const sizes = new ResizeObserver(() => host.style.setProperty("--viewer-height", `${host.clientHeight}px`));
    sizes.observe(host);
    signal.addEventListener("abort", () => sizes.disconnect(), { once: true });
}

/**
 * What the page can see of where the viewer is.
 * @param {Stage} stage
 * @param {Store<State>} store
 * @param {Tell} tell
 */
function followState(stage, store, tell) {
    follow(
        store,
        ({ phase, log }) => [phase, !log],
        ({ phase, log }) => {
            mark(stage, "state", phase);
            mark(stage, "log", log ? "open" : "none");
        },
    );
    follow(
        store,
        ({ log }) => [!log?.following],
        ({ log }) => mark(stage, "following", log?.following ? "threads" : null),
    );
    let told = 0;
    follow(
        store,
        ({ opening, finished }) => [opening, finished],
        ({ opening, log, finished }) => {
            // Cancel returns to a log that has been told of.
            if (!log || !finished || opening <= told) return;
            told = opening;
            tell("ready", { name: log.name }, opening);
        },
    );
    follow(
        store,
        ({ error }) => [error],
        ({ error, wrong }) => {
            if (error) tell("error", { name: wrong?.name ?? "", message: error }, wrong?.opening ?? 0);
        },
    );
    if (!stage.own) return;
    // The page around it has its colours.
    document.adoptedStyleSheets = [style];
    follow(
        store,
        ({ log, file, next }) => [log, file, next?.opening],
        (state) => {
            document.title = state.log ? `${programOf(state)} – GHC Eventlog Viewer` : "GHC Eventlog Viewer";
        },
    );
}
