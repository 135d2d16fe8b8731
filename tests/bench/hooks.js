// Inserted into the page before its own scripts: notes when things happen there. The published page contains none of this.

/** Runs in the page. Everything it notes is in `window.bench`; times are `performance.now()`'s. */
export function hooks() {
    const bench = { opened: 0, painted: 0, ready: 0, replies: [], requests: 0, longest: 0, told: 0 };
    window.bench = bench;

    // Many capabilities are folded at first: unfold them, to measure how they are drawn.
    sessionStorage.setItem("ghc-eventlog-viewer.folds", JSON.stringify({ caps: false }));

    /** Forgets the notes, for the next log. */
    bench.begin = () => Object.assign(bench, { opened: 0, painted: 0, ready: 0, replies: [], longest: 0 });

    /** The pictures that were asked for, by the numbers of the questions. */
    const pictures = new Map();

    // A picture counts as shown when the frame in which it was painted is over.
    const { drawImage } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.drawImage = function (...args) {
        if (bench.opened && !bench.painted) {
            bench.painted = -1;
            requestAnimationFrame(() => setTimeout(() => (bench.painted = performance.now())));
        }
        return drawImage.apply(this, args);
    };

    window.Worker = class extends Worker {
        constructor(...args) {
            super(...args);
            bench.worker = this;
            this.addEventListener("message", ({ data }) => {
                if (data.id === 0) bench.answered?.(performance.now());
                if (data.kind === "ready" || data.kind === "progress") {
                    [bench.log, bench.opening] = [data.body, data.log];
                    // The first report about threads.
                    if (bench.unfolded && !bench.told && data.body.following?.share !== 0) bench.told = performance.now();
                }
                const question = `${data.log} ${data.id}`;
                const asked = pictures.get(question);
                if (data.kind === "answer") pictures.delete(question);
                if (!asked || !data.body) return;
                const { kind, seq } = asked;
                const { from, to, exact, tracks } = data.body;
                // The share of the first track, which is the activity, that has anything.
                const [{ shares }] = tracks.values();
                const filled = kind === "whole" ? shares.filter((share) => share > 0).length : 0;
                bench.replies.push({ at: performance.now(), kind, from, to, exact, seq, filled });
            });
        }
        postMessage(message, ...rest) {
            const { kind, log, id } = message;
            if (kind === "window") bench.requests += 1;
            if (kind === "window" || kind === "whole") pictures.set(`${log} ${id}`, { kind, seq: bench.requests });
            super.postMessage(message, ...rest);
        }
    };

    // The event of a chosen file does not leave the viewer's shadow tree.
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (init) {
        const root = attachShadow.call(this, init);
        root.addEventListener("change", () => (bench.opened = performance.now()), true);
        return root;
    };
    new MutationObserver(() => {
        if (document.documentElement.dataset.state === "ready") bench.ready = performance.now();
    }).observe(document, { subtree: true, attributeFilter: ["data-state"] });

    if (PerformanceObserver.supportedEntryTypes.includes("longtask")) {
        new PerformanceObserver((list) => {
            for (const { startTime, duration } of list.getEntries()) {
                const loading = bench.opened && startTime >= bench.opened && (!bench.ready || startTime < bench.ready);
                if (loading) bench.longest = Math.max(bench.longest, duration);
            }
        }).observe({ type: "longtask" });
    }
}

/**
 * Runs in the page: returns how long it takes only to read the chosen file, in ms, with the page's own code, in a worker as in the page.
 * @param {string} reading the text of the page's module for reading
 */
export async function bareRead(reading) {
    const code = `${reading};
        onmessage = async ({ data }) => {
            const start = performance.now();
            let bytes = 0;
            try {
                for await (const piece of pieces(data)) bytes += piece.length;
                postMessage({ ms: performance.now() - start, bytes });
            } catch (error) {
                postMessage({ trouble: String(error), bytes });
            }
        };`;
    // One worker for all turns, as in the page: Firefox sometimes hangs when workers that have workers come and go.
    window.reader ??= new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
    const worker = window.reader;
    const file = document.getElementById("bench-file").files[0];
    const { ms, bytes, trouble } = await new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(file);
    });
    if (trouble || bytes !== file.size) throw new Error(`read ${bytes} of ${file.size} bytes: ${trouble}`);
    return ms;
}

/**
 * Runs in the page: asks for a table's rows again and again while threads are followed, like a user who looks around, and notes in
 * `bench.waits` how long each answer takes, in ms. No other question has the number 0.
 */
export async function askMeanwhile() {
    const { bench } = window;
    bench.waits = [];
    const body = { table: "caps", range: false, sort: "", down: false, filter: "", within: null, from: 0, count: 20 };
    while (!bench.told || bench.log.following) {
        const asked = performance.now();
        const answered = new Promise((resolve) => (bench.answered = resolve));
        bench.worker.postMessage({ kind: "table", log: bench.opening, id: 0, body });
        bench.waits.push((await answered) - asked);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

/**
 * Runs in the page: scrolls the list of all events to a place; returns how long it takes until all rows in view have come, in ms.
 * @param {number} place between 0 and 1
 */
export async function eventPage(place) {
    const box = document.querySelector(".listing .table-box");
    const rows = () => [...box.querySelectorAll("tbody tr")];
    const first = () => rows()[0]?.ariaRowIndex;
    const before = first();
    const start = performance.now();
    box.scrollTop = (box.scrollHeight - box.clientHeight) * place;
    for (;;) {
        await new Promise(requestAnimationFrame);
        const come = rows().every(({ firstElementChild }) => firstElementChild.textContent.trim() !== "…");
        const took = performance.now() - start;
        if ((come && first() !== before) || took > 5000) return took;
    }
}
