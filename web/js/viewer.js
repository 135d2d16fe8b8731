// A viewer: puts its parts together.

import { render } from "lit";
import { Client } from "./client.js";
import { Logs } from "./logs.js";
import { OverviewStrip } from "./overview.js";
import { Picture } from "./picture.js";
import { Store, follow } from "./store.js";
import { ShownLog } from "./shown-log.js";
import { Timeline } from "./timeline.js";
import { Tooltip } from "./tooltip.js";
import { FIRST_WORDS, POINTER } from "./protocol.js";
import { announce } from "./announce.js";
import { followCauses } from "./causes.js";
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
import { loadLicences, loadWasm } from "./parts.js";
import { mark, part } from "./stage.js";
import { navigation } from "./navigation.js";
import { nothing } from "./state.js";
import { programOf } from "./screens/bar.js";
import { nameOf, urlOf } from "./url.js";
import { requestTurn } from "./frame.js";
import { readTheme } from "./theme.js";
import { startExporting } from "./saving/exporting.js";
import { startSaving } from "./saving/dialog.js";
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
    /** The log that is shown. */
    #log;
    #logs;
    #picture = new Picture();
    #timeline;
    #overview;
    #tooltip;
    #moves;
    #colours;
    #wish;
    #tell;
    /** Tells so once what has come is drawn. */
    #drawn = requestTurn(() => this.#log.send("drawn", null));

    /**
     * @param {Pick<Stage, "host" | "own" | "signal">} around
     * @param {Tell} tell
     */
    constructor(around, tell) {
        const { host, own } = around;
        this.#tell = tell;
        /** @type {Store<State>} */
        this.#store = new Store({ ...nothing(), theme: readTheme(host), scaling: FIRST, spanWords: own ? rememberedWords() : FIRST_WORDS });
        // Before all: where there can be no worker, what stands in the element stays.
        this.#client = this.#newClient();
        this.#log = new ShownLog(this.#client, this.#store);
        this.#logs = new Logs(this.#client, this.#store, () => this.#turn());
        const root = rootOf(host);
        render(frame(own), root);
        /** @type {Stage} */
        this.#stage = { ...around, root, reach: own ? document : host };
        this.#timeline = this.#newTimeline();
        const help = /** @type {import("./screens/help.js").LogHelp} */ (this.#part("keys-help"));
        this.#moves = navigation(this.#store, this.#timeline, this.#log, this.#part("announcer"), () => help.show());
        const { centre, show, bindings } = this.#moves;
        this.#overview = new OverviewStrip(this.#part("overview"), this.#store, { centre, show });
        this.#tooltip = new Tooltip(this.#part("tooltip"), ({ track, from, to, part, role }) =>
            this.#log.ask("lookUp", { asker: POINTER, track, from, to, part, role }),
        );
        followState(this.#stage, this.#store, tell);
        this.#colours = this.#followColours();
        help.start(bindings, loadLicences);
        this.#startScreens();
        this.#startPanels();
        this.#wish = followWish(this.#store, {
            show: this.#moves.show,
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
        this.#logs.open(file, () => (opening = this.#client.open({ file })));
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
        this.#logs.open({ name, size: 0 }, () => (opening = this.#client.open({ url: url?.href ?? address, name, asks })));
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
        return new Client(
            loadWasm,
            {
                consent: (question, opening) => this.#logs.ask(opening, question),
                loading: (loading, opening) => this.#logs.loading(opening, loading),
                choose: (choice, opening) => this.#logs.offer(opening, choice),
                progress: (log, opening) => this.#update(opening, log, false),
                ready: (log, opening) => this.#update(opening, log, true),
                failed: (text, opening) => this.#logs.failed(opening, text),
                trouble: (text, opening) => this.#logs.trouble(opening, text),
                solved: (text, opening) => this.#logs.solved(opening, text),
                range: (totals, opening) => opening === this.#store.value.opening && this.#totalled(totals),
            },
            (error) => this.#logs.ended(error),
        );
    }

    /**
     * Asks for a picture of a window.
     * @param {import("./protocol.js").WindowWish} wish
     */
    async #askWindow(wish) {
        const strips = await this.#log.ask("window", wish, (coarse) => this.#windowCame(coarse, false));
        if (strips) this.#windowCame(strips, true);
    }

    /**
     * @param {import("./protocol.js").Strips} strips
     * @param {boolean} isLast whether no better one comes
     */
    #windowCame(strips, isLast) {
        this.#picture.take("window", strips);
        this.#timeline.answered(isLast);
        this.#pictured();
        if (!this.#store.value.finished) this.#drawn();
    }

    /**
     * Asks for a picture of the whole log.
     * @param {import("./protocol.js").WholeWish} wish
     */
    async #askWhole(wish) {
        const strips = await this.#log.ask("whole", wish);
        if (!strips) return;
        this.#picture.take("whole", strips);
        this.#overview.take(strips);
        this.#timeline.repaint();
        this.#pictured();
    }

    /** @param {import("./viewport.js").View} range asks what the tracks did in it */
    async #askRange({ from, to }) {
        const totals = await this.#log.ask("range", { from, to });
        if (totals) this.#totalled(totals);
    }

    /** @param {import("./protocol.js").RangeTotals} totals of the log that is shown */
    #totalled(totals) {
        if (this.#store.value.range) this.#store.set({ totals });
    }

    /** How bands are drawn. */
    get #bands() {
        const { order, count } = this.#store.value.bands;
        return { order, count };
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
                window: (from, to, width, tracks) => void this.#askWindow({ from, to, width, tracks, bands: this.#bands }),
                whole: (tracks) => void this.#askWhole({ width: this.#overview.pixels, tracks, bands: this.#bands }),
                rows: (shown, missing) => this.#log.ask("rows", { shown, missing }),
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
            stop: () => this.#log.send("stop", null),
            cancel,
        });
        /** @type {import("./screens/following.js").LogFollowing} */ (this.#part("following")).start(store, (on) =>
            this.#log.send("follow", on),
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
        const { acts } = this.#moves;
        const details = /** @type {import("./panels/selection.js").LogSelection} */ (this.#part("details"));
        /** @type {import("./panels/drawer.js").LogDrawer} */ (this.#part("drawer")).start(
            this.#store,
            {
                zoom: acts.showRange,
                clear: this.#thenTimeline(acts.clearRange),
                goTo: (time, track) => {
                    this.#showTime(time);
                    if (track !== undefined) void acts.selectAt(track, time).then(() => this.#leaveCovered(details));
                },
                say: (text) => this.#say(text),
                pick: (_, label) => this.#chooseSpans(label),
                rows: (group) => this.#rowsOf(group).show(),
                table: (wish) => this.#log.ask("table", wish),
                flame: (wish) => this.#log.ask("flame", wish),
                roleOf: (module) => this.#store.value.modules.of(module),
                describe: (parts, point) => (parts ? this.#tooltip.tell(parts, point) : this.#tooltip.hide()),
                markdown: (range) => this.#log.ask("markdown", { range }),
                save: startSaving(this.#stage, this.#store, this.#client),
                exportAs: startExporting(this.#store, this.#client),
            },
            this.#stage.own,
        );
        details.start(this.#store, {
            step: acts.step,
            fit: acts.fit,
            clear: this.#thenTimeline(acts.deselect),
            left: () => this.#part("timeline").focus(),
            say: (text) => this.#say(text),
        });
        followSelection(this.#store, this.#timeline, details);
    }

    /**
     * The spans of a label have a histogram from now on; those of one that has it do not any more.
     * @param {string} label
     */
    #chooseSpans(label) {
        const { spans } = this.#store.value;
        const isChosen = spans.label === label;
        this.#store.set({ spans: { ...spans, label: isChosen ? "" : label } });
        this.#say(isChosen ? "The histogram of one label is closed" : `Durations of ${label} are shown above`);
    }

    /** Keys, pointers, files, and what else comes from outside. */
    #followUser() {
        const [stage, store, timeline] = [this.#stage, this.#store, this.#timeline];
        const { actions, bindings, show, origin } = this.#moves;
        const box = this.#part("timeline");
        const open = (/** @type {File} */ file) => this.#openAsUser(file);
        followSigns(stage, () => this.#client.warm());
        followFiles(stage, this.#part("drop"), open);
        followLaunches(stage, open);
        followGestures(box, { ...actions, hover: followPointer(stage, store, timeline, this.#tooltip, origin) });
        announce(store, (text) => this.#say(text));
        const [overview, picture] = [this.#overview, this.#picture];
        const [paper, left] = [this.#part("paper"), this.#part("unprinted")];
        followPrint({ stage, store, timeline, overview, picture, paper, left, drawer: this.#part("drawer") });
        followCauses(store, this.#log);
        followRange(store, (range) => void this.#askRange(range));
        follow(
            store,
            ({ bands: { order, count } }) => [order, count],
            () => store.value.log?.status.extent && timeline.outdated(),
        );
        const asked = (/** @type {State} */ { threads, range, totals }) => [threads, asksWhatTheyDid(threads) && range && totals];
        follow(store, asked, ({ log, threads, range, totals }) => {
            if (log) this.#log.send("arrange", { ...threads, inRange: range !== null && totals !== null });
        });
        const named = (/** @type {State} */ { log, opening, spans, spanWords }) => [log && opening, spans, spanWords];
        follow(store, named, ({ log, spans, spanWords }) => {
            if (log) this.#log.send("arrangeSpans", { ...spans, ...spanWords });
        });
        followKeys(stage, bindings);
        followScaling(stage, store);
        if (stage.own) {
            followHistory(stage.signal, store, show);
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
        this.#logs.open({ name: "example.eventlog", size: 0 }, () => this.#client.open({ example: true }));
        // The button is gone, and so is the focus.
        this.#part("timeline").focus();
    }

    /**
     * Shows the surroundings of a time, closely enough for it to be a place.
     * @param {number} time
     */
    #showTime(time) {
        const { log, view } = this.#store.value;
        const extent = log && extentOf(log.status);
        if (!extent || !view) return;
        const all = whole(extent);
        const half = Math.min(view.to - view.from, (all.to - all.from) / 20) / 2;
        this.#store.set({ view: within({ from: time - half, to: time + half }, all, this.#timeline.width), follows: false });
    }

    /**
     * The same from a notice, where there is nothing more to be done.
     * @param {number} time
     */
    #goTo(time) {
        this.#showTime(time);
        this.#part("timeline").focus();
    }

    /**
     * In a narrow window the details lie above the table that led to them: whoever is in there would not see where.
     * @param {HTMLElement} details
     */
    #leaveCovered(details) {
        const within = this.#stage.root.activeElement?.closest("log-drawer");
        if (within && !details.hidden && getComputedStyle(details).position !== "static") this.#part("timeline").focus();
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
