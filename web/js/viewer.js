// A viewer: writes what its worker reports into its state, and puts its parts together: those of frame.js, and followers.js.

import { render } from "lit";
import { Client } from "./client.js";
import { FOLLOWERS } from "./followers.js";
import { Logs } from "./logs.js";
import { ShownLog } from "./shown-log.js";
import { Store, follow } from "./store.js";
import { contextOf } from "./context.js";
import { rangeWithin, whole, within } from "./viewport.js";
import { firstState, spanWordsOf } from "./preferences.js";
import { choiceOf } from "./theme-switch.js";
import { changeLog, changeShown, withLog } from "./state.js";
import { frame, startParts } from "./screens/frame.js";
import { loadWasm } from "./parts.js";
import { mark } from "./stage.js";
import { faultOf } from "./sources/link.js";
import { rememberedLinks } from "./sources/setting.js";
import { style } from "./style.js";
import { extentOnPage } from "./page-time.js";
import { areInFull, completed } from "./facts.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./protocol.js").LogInfo} LogInfo */
/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./context.js").Tell} Tell */

/**
 * @typedef {{ shown: number, coming: number, hasFailed: boolean }} Openings numbers of openings, 0 for none; and whether the last one
 *     failed
 */

export class Viewer {
    #store;
    #client;
    #logs;
    /** The context of its parts. */
    #context;
    #picture;
    #timeline;
    #overview;

    /**
     * @param {Pick<Stage, "host" | "own" | "signal">} around
     * @param {Tell} tell
     */
    constructor(around, tell) {
        const { host, own } = around;
        /** @type {Store<State>} */
        this.#store = new Store(firstState(around));
        // First of all: if there can be no worker, the contents of the element stay.
        this.#client = this.#newClient();
        this.#logs = new Logs(this.#client, this.#store, () => this.#turn());
        const root = rootOf(host);
        render(frame(own), root);
        const stage = { ...around, root, reach: own ? document : host };
        const log = new ShownLog(this.#client, this.#store);
        this.#context = contextOf({ stage, store: this.#store, client: this.#client, log, logs: this.#logs, tell });
        ({ picture: this.#picture, timeline: this.#timeline, overview: this.#overview } = this.#context);
        startParts(root, this.#context);
        for (const follow of FOLLOWERS) follow(this.#context);
        // If the script does not get here, `start.js` says so.
        if (own) mark(around, "started", "");
    }

    /** Opens logs, cancels openings, closes logs. */
    get opener() {
        return this.#context.opener;
    }

    /** @param {(now: Openings) => void} listener called now, and when another log is shown or being opened */
    follow(listener) {
        follow(
            this.#store,
            ({ shown, next, wrong }) => [shown, next?.opening, wrong],
            ({ shown, next, wrong }) => {
                listener({ shown, coming: next?.opening ?? 0, hasFailed: wrong !== null });
            },
        );
    }

    /** @param {import("./requested-view.js").RequestedView} view the view to show */
    request(view) {
        this.#store.set({ requested: { ...this.#store.value.requested, ...view } });
    }

    /** @param {string | null} words that begin and end the program's own spans: `BEGIN,END`; null for the user's own */
    nameSpans(words) {
        const spanWords = spanWordsOf(words, this.#context.stage);
        // A text that is not a pair of words is ignored.
        if (spanWords) this.#store.set({ spanWords });
    }

    /**
     * @param {string | null} template of links to the sources; null for the user's own
     * @param {string | null} commit that the program was built from
     */
    linkSources(template, commit) {
        if (template === null) return this.#store.set({ sources: rememberedLinks(this.#context.stage) });
        const links = { template: template.trim(), commit: commit?.trim() ?? "" };
        const fault = faultOf(links);
        if (fault) this.#context.note(`The page's link to the sources is not used. ${fault}`);
        else this.#store.set({ sources: links });
    }

    /** @param {string | null} choice of colours */
    colour(choice) {
        this.#store.set({ colours: choiceOf(choice) });
    }

    /** The element has left the page. */
    end() {
        this.#client.end();
        this.#picture.clear();
        // If it comes back, it begins anew.
        render(null, this.#context.stage.root);
    }

    #newClient() {
        return new Client(
            loadWasm,
            {
                consent: (question, opening) => this.#logs.ask(opening, question),
                loading: (loading, opening) => this.#logs.loading(opening, loading),
                choose: (choice, opening) => this.#logs.offer(opening, choice),
                progress: (report, opening) => this.#update(opening, report, false),
                ready: (report, opening) => this.#update(opening, report, true),
                failed: (text, opening) => this.#logs.failed(opening, text),
                trouble: (text, opening) => this.#logs.trouble(opening, text),
                solved: (text, opening) => this.#logs.solved(opening, text),
                range: (totals, opening) => {
                    const { shown, range } = this.#store.value;
                    if (opening === shown && range) changeShown(this.#store, { totals });
                },
            },
            (error) => this.#logs.ended(error),
        );
    }

    /** Another log is shown, or none: no picture of the last one may stay. */
    #turn() {
        this.#picture.clear();
        this.#overview.take(null);
        this.#context.tooltip.hide();
    }

    /**
     * More of a log has been read, or all of it.
     * @param {number} opening
     * @param {import("./protocol.js").LogReport} report
     * @param {boolean} finished
     */
    #update(opening, report, finished) {
        const { facts, findings, account } = this.#store.value.logs[opening]?.log ?? {};
        // While threads are followed, findings are as old as the last report that had them.
        const log = { findings, account, ...report, facts: completed(report.facts, facts), areFactsNew: areInFull(report.facts) };
        // More may also become known about a log that is not on the screen, such as what its threads did.
        const { placed } = report;
        if (!this.#logs.read(opening, log, finished)) return changeLog(this.#store, opening, { log, placed });
        const { logs, view, follows, range } = this.#store.value;
        const known = withLog(logs, opening, { log, placed, finished });
        const extent = extentOnPage(known[opening]);
        const all = extent ? whole(extent) : null;
        // A view of time that was still to be read may lie beyond the end now.
        const kept = finished && all && view ? within(view, all, this.#timeline.width) : view;
        const selected = finished && extent && range ? rangeWithin(range, extent) : range;
        this.#logs.set({ logs: known, view: all && (follows || !view) ? all : kept, range: selected });
        if (extent) this.#timeline.outdated();
    }
}

/**
 * An empty shadow root. Without one, the contents of the element itself are visible.
 * @param {HTMLElement} host
 */
function rootOf(host) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    return root;
}
