// Shows the state of a viewer to its page: attributes, events, the title; and finds out where in the page the viewer is.

import { follow } from "./store.js";
import { shownOf } from "./state.js";
import { mark } from "./stage.js";
import { programOf } from "./screens/bar.js";
import { style } from "./style.js";

/** @typedef {import("./context.js").Context} Context */

/** @param {Context} context */
export function followState(context) {
    markState(context);
    tellOfLogs(context);
    if (context.stage.own) ownPage(context);
    else followHeight(context);
}

/** @param {Context} context */
function markState({ stage, store }) {
    follow(
        store,
        (state) => [state.phase, !shownOf(state).log],
        (state) => {
            mark(stage, "state", state.phase);
            mark(stage, "log", shownOf(state).log ? "open" : "none");
        },
    );
    follow(
        store,
        (state) => [!shownOf(state).log?.following],
        (state) => mark(stage, "following", shownOf(state).log?.following ? "threads" : null),
    );
    follow(
        store,
        ({ finding }) => [!finding],
        ({ finding }) => mark(stage, "evidence", finding ? "" : null),
    );
}

/** @param {Context} context */
function tellOfLogs({ store, tell }) {
    let reported = 0;
    follow(
        store,
        (state) => [state.shown, shownOf(state).finished],
        (state) => {
            const { log, finished, number } = shownOf(state);
            // A smaller number: Cancel has returned to a log that was reported before.
            if (!log || !finished || number <= reported) return;
            reported = number;
            tell("ready", { name: log.name }, number);
        },
    );
    follow(
        store,
        ({ error }) => [error],
        ({ error, wrong }) => {
            if (error) tell("error", { name: wrong?.name ?? "", message: error }, wrong?.opening ?? 0);
        },
    );
}

/**
 * A page that the viewer owns gets its colours, and names the open log in its title.
 * @param {Context} context
 */
function ownPage({ store }) {
    document.adoptedStyleSheets.push(style);
    follow(
        store,
        (state) => [shownOf(state).log, state.next?.opening],
        (state) => {
            document.title = shownOf(state).log ? `${programOf(state)} – GHC Eventlog Viewer` : "GHC Eventlog Viewer";
        },
    );
}

/**
 * Beside other content, the panels' shares are of the viewer's height, not of the window's.
 * @param {Context} context
 */
function followHeight({ stage: { host, signal } }) {
    const sizes = new ResizeObserver(() => host.style.setProperty("--viewer-height", `${host.clientHeight}px`));
    sizes.observe(host);
    signal.addEventListener("abort", () => sizes.disconnect(), { once: true });
}
