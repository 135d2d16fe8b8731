// The viewer as an element: <ghc-eventlog-viewer>.
//
//     <script type="module" src="…/js/main.js"></script>
//     <ghc-eventlog-viewer src="run.eventlog"></ghc-eventlog-viewer>
//
// Attributes:  src    the address of a log, opened at once
//              theme  "light" or "dark"; without it, the system's setting
//              t0 t1  first and last time in view, in ns from the log's first moment
//              span-words  words that begin and end the program's own spans, besides those that are known, as in "BEGIN,END" or, after
//                     the label, "* BEGIN,* END"; several pairs one after the other; without it, the user's choice, if the viewer owns
//                     the page
//              source-url  where places in the source lead, as in "https://example.org/blob/{commit}/{file}#L{line}": {file}, {line},
//                     {column}, {module} and {commit} stand for the place; only for http, https and some editors. Without it, the
//                     user's choice, if the viewer owns the page
//              commit  what stands for {commit}
//              notes  notes about the log, as saved pages have them: `[[ns from the log's first moment, "text"], …]`
//              rows   how its rows are arranged, as in the address of a page that the viewer owns
//              panel  the tab of the drawer that is open: summary, gc, heap, threads, sparks, events …
//              page   the viewer owns the page: its title, history and keys; and it uses the theme that the user chose last
// Properties:  file   a File or Blob to open
// Methods:     open(blob, name), close()
// Events:      ready  a log has been read; `detail` has its name
//              error  a file cannot be shown; `detail` has its name and why
//              rangechange  another part of the log is in view; `detail` has t0 and t1
//              useropen  the user opens a file, for example by dropping it: later events are about that
//              select  the selection on a track has changed: `detail` has track, title, t0 and t1, or is null
//
// The page sets its size. Its attribute `data-state` shows its phase: empty, asking, choosing, loading, ready, error.

import { Viewer } from "./viewer.js";
import { followAddress } from "./address.js";
import { followParent } from "./parent.js";

/** The name of a log without a name. */
const UNNAMED = "log.eventlog";

export class GhcEventlogViewer extends HTMLElement {
    static observedAttributes = ["src", "theme", "t0", "t1", "panel", "span-words", "source-url", "commit", "notes", "rows"];

    /** The viewer while the element is in a page. @type {Viewer | null} */
    #viewer = null;
    /** The file to open as soon as the element is in a page. @type {File | null} */
    #wanted = null;
    #leaving = new AbortController();
    /** Whether the link to the sources is about to be set. */
    #links = false;
    /** Reports to the page around this one, if it is in a frame. @type {import("./context.js").Tell} */
    #tellParent = () => {};

    connectedCallback() {
        // The element has only been moved.
        if (this.#viewer) return;
        // The property was set before this code was loaded.
        if (Object.hasOwn(this, "file")) {
            const { file } = this;
            Reflect.deleteProperty(this, "file");
            this.file = file;
        }
        this.#start();
        if (this.#wanted) this.#open(this.#wanted);
        else this.#load();
        // A link may come from someone who has nothing to do with the page, so the user is asked about other servers.
        if (this.hasAttribute("page")) followAddress(this, this.#addressed(), this.#leaving.signal);
    }

    disconnectedCallback() {
        queueMicrotask(() => {
            if (!this.isConnected) this.#end();
        });
    }

    /**
     * @param {string} name
     * @param {string | null} was
     * @param {string | null} is
     */
    attributeChangedCallback(name, was, is) {
        if (name === "theme") this.#viewer?.colour(is);
        else if (name === "span-words") this.#viewer?.nameSpans(is);
        else if (name === "source-url" || name === "commit") this.#linkSources();
        else if (name !== "src") this.#viewer?.request(this.#requested);
        else if (is !== was) this.#load();
    }

    #start() {
        this.#leaving = new AbortController();
        const around = { host: this, own: this.hasAttribute("page"), signal: this.#leaving.signal };
        this.#viewer = new Viewer(around, (type, detail, opening) => {
            this.dispatchEvent(new CustomEvent(type, { detail }));
            this.#tellParent(type, detail, opening);
        });
        this.#viewer.request(this.#requested);
        // Without the attribute, the user's own words count.
        if (this.hasAttribute("span-words")) this.#viewer.nameSpans(this.getAttribute("span-words"));
        if (this.hasAttribute("source-url")) this.#linkSources();
        if (around.own) this.#tellParent = followParent(this, (blob, name) => this.#take(blob, name), around.signal);
    }

    /** Once for all attributes that are set together: a link with {commit} is none without one. */
    #linkSources() {
        if (this.#links) return;
        this.#links = true;
        queueMicrotask(() => {
            this.#links = false;
            this.#viewer?.linkSources(this.getAttribute("source-url"), this.getAttribute("commit"));
        });
    }

    /** What the page's address may do to the viewer. */
    #addressed() {
        const viewer = /** @type {Viewer} */ (this.#viewer);
        return {
            load: (/** @type {string} */ url) => viewer.opener.load(url, true),
            cancel: () => viewer.opener.cancel(),
            follow: (/** @type {(now: import("./viewer.js").Openings) => void} */ listener) => viewer.follow(listener),
        };
    }

    /** What its attributes say to show. */
    get #requested() {
        const time = (/** @type {string} */ name) => {
            const text = this.getAttribute(name)?.trim();
            return text && Number.isFinite(Number(text)) ? Number(text) : null;
        };
        return {
            t0: time("t0"),
            t1: time("t1"),
            panel: this.getAttribute("panel"),
            notes: this.getAttribute("notes"),
            rows: this.getAttribute("rows"),
        };
    }

    #end() {
        this.#leaving.abort();
        this.#viewer?.end();
        this.#viewer = null;
    }

    /** @returns {File | null} the file last opened by this property or by `open` */
    get file() {
        return this.#wanted;
    }

    /** @param {Blob | null} blob */
    set file(blob) {
        if (blob) this.open(blob);
        else this.close();
    }

    /**
     * Opens a log: a file, or bytes in memory.
     * @param {Blob} blob
     * @param {string} [name]
     */
    open(blob, name) {
        this.#take(blob, name);
    }

    /**
     * @param {Blob} blob
     * @param {string} [name]
     * @returns {number} the number of the opening
     */
    #take(blob, name) {
        const own = blob instanceof File ? blob.name : UNNAMED;
        this.#wanted = blob instanceof File && (name ?? own) === own ? blob : new File([blob], name ?? own);
        return this.#viewer ? this.#open(this.#wanted) : 0;
    }

    /** Closes the open log, if there is one. */
    close() {
        this.#wanted = null;
        this.#viewer?.opener.close();
    }

    /** @param {File} file */
    #open(file) {
        return this.#viewer?.opener.open(file) ?? 0;
    }

    #load() {
        const src = this.getAttribute("src");
        if (!src) return;
        // The file set last counts, also if the element is moved within the page.
        this.#wanted = null;
        this.#viewer?.opener.load(src, false);
    }
}

customElements.define("ghc-eventlog-viewer", GhcEventlogViewer);
