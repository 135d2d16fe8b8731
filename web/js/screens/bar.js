// The bar at the top: names the program of the log, and has the viewer's buttons.

import { html, nothing } from "lit";
import "../search/field.js";
import { Part } from "../panels/part.js";
import { visible } from "../format.js";
import { MOST_SHOWN, withoutMiddle } from "../qualified.js";
import { chooseNext } from "../theme-switch.js";
import { factTexts } from "../describe.js";
import { shownOf } from "../state.js";
import { part } from "../stage.js";
import { timesOf } from "../page-time.js";

/** @typedef {import("../theme-switch.js").Choice} Choice */

/** @type {Record<Choice, string>} */
const SIGNS = { system: "◐", light: "☀", dark: "☾" };

/**
 * The name of the log's program, or of its file while the program is not known.
 * @param {import("../panels/part.js").State} state
 */
export function programOf({ next, ...state }) {
    const { log, file } = shownOf(state);
    return visible(baseName(log?.process.args[0]) ?? log?.name ?? file?.name ?? next?.file.name ?? "GHC Eventlog Viewer");
}

/**
 * The name of a program without its folders, which would leave no room in the bar. A backslash separates folders only in a path of Windows:
 * elsewhere it stands for a character that could not be seen.
 * @param {string | undefined} path
 */
function baseName(path) {
    const isOfWindows = /^([a-z]:|\.{1,2})?\\/i.test(path ?? "");
    return path?.split(isOfWindows ? /[\\/]/ : "/").at(-1) || path;
}

export class LogBar extends Part {
    /** @type {import("../context.js").Context | null} */
    #context = null;

    /** @param {import("../context.js").Context} context */
    start(context) {
        this.#context = context;
        this.watch(context.store, (state) => [shownOf(state).log, shownOf(state).several, state.next?.opening, state.colours, state.clock]);
    }

    render() {
        const { log, several } = this.shown;
        const { colours = "system", clock = "relative" } = this.store?.value ?? {};
        // The day is always said, by the clock that the user has chosen.
        const texts = log ? factTexts(log, timesOf({ clock: clock === "utc" ? "utc" : "local" }, this.shown)) : [];
        return html`
            <h1
                id="program"
                title=${withoutMiddle(visible(log?.process.args.join(" ") ?? ""), MOST_SHOWN)}
                .textContent=${this.store ? withoutMiddle(programOf(this.store.value), MOST_SHOWN) : ""}
            ></h1>
            <ul id="facts" aria-label="About this log">${texts.map((text) => withoutMiddle(text, MOST_SHOWN)).map((text) => html`<li title=${text}>${text}</li>`)}</ul>
            <log-search id="search" .context=${this.#context}></log-search>
            <div class="tools">
                <input type="file" id="open-file" class="visually-hidden" multiple aria-label="Open an eventlog" @change=${this.#open}>
                <label for="open-file" class="button" title="Open a file">Open…</label>
                ${several.length > 1 ? html`<button id="others" class="for-log" title="Choose another of the ${several.length} files" @click=${() => this.#context?.opener.chooseAgain(several)}>Others…</button>` : nothing}
                <button id="close" class="for-log" title="Close this log" @click=${this.#close}>Close</button>
                <button id="theme" aria-label="Colours" title="Colours: ${colours}" @click=${this.#recolour}>${SIGNS[colours]}</button>
                <button id="help-button" aria-label="Help" title="Keys and gestures (?)" @click=${this.#help}>?</button>
            </div>
        `;
    }

    #recolour() {
        if (this.#context) chooseNext(this.#context);
    }

    #help() {
        if (this.#context) /** @type {import("./help.js").LogHelp} */ (part(this.#context.stage, "keys-help")).show();
    }

    /** @param {Event & { currentTarget: HTMLInputElement }} event */
    #open({ currentTarget: input }) {
        // Resets the field, so that the same file can be chosen again after it has changed.
        this.#context?.opener.openOneOf([...(input.files ?? [])]);
        input.value = "";
    }

    #close() {
        this.#context?.opener.close();
        // The button has gone with the log, and it had the focus.
        /** @type {HTMLElement | null} */ (this.querySelector("#open-file"))?.focus();
    }
}

customElements.define("log-bar", LogBar);
