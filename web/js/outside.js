// What the page can see of a viewer: attributes, events, its title; and what the viewer must know of where it is.

import { follow } from "./store.js";
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
}

/** @param {Context} context */
function tellOfLogs({ store, tell }) {
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
}

/**
 * A page that is the viewer's own has its colours, and says what is open.
 * @param {Context} context
 */
function ownPage({ store }) {
    document.adoptedStyleSheets = [style];
    follow(
        store,
        ({ log, file, next }) => [log, file, next?.opening],
        (state) => {
            document.title = state.log ? `${programOf(state)} – GHC Eventlog Viewer` : "GHC Eventlog Viewer";
        },
    );
}

/**
 * Beside other content the panels take their share of the viewer's height, not of the window's.
 * @param {Context} context
 */
function followHeight({ stage: { host, signal } }) {
    const sizes = new ResizeObserver(() => host.style.setProperty("--viewer-height", `${host.clientHeight}px`));
    sizes.observe(host);
    signal.addEventListener("abort", () => sizes.disconnect(), { once: true });
}
