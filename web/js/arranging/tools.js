// The headers of rows: what stands at a row's name when the pointer is on it or it has the focus (pin, hide, more, a handle); the menu; the
// keys that go from header to header; picking rows.

import { html, render } from "lit";
import { part } from "../stage.js";
import { follow } from "../store.js";
import { visible } from "../format.js";
import { shownOf } from "../state.js";
import { hideRows, openArranging, togglePicked, togglePins, widen } from "./acts.js";
import { isNarrowed } from "./choice.js";
import { followDrags } from "./dragging.js";
import { stopAt, stopAtOne, walk } from "./focus.js";
import { rowOfElement } from "./target.js";

/** @typedef {import("../context.js").Context} Context */

/** A finger that rests longer than this, in ms, opens the menu; it may move by this many CSS pixels. */
const LONG = 450;
const STEADY = 8;

const icon = (/** @type {string} */ path) => html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg>`;
const PIN = icon("M5 2h6v1.4l-1.2.8.4 3.3 2 1.6v1.4H8.7V15L8 16l-.7-1v-4.5H3.8V9.1l2-1.6.4-3.3L5 3.4z");
const HIDE = icon(
    "M8 3.5c3.6 0 6 3 7 4.5-1 1.5-3.4 4.5-7 4.5S2 9.5 1 8c1-1.5 3.4-4.5 7-4.5zm0 2a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM2.5 1.5l12 12-1 1-12-12z",
);
const MORE = icon("M3 6.7h2.6v2.6H3zm3.7 0h2.6v2.6H6.7zm3.7 0H13v2.6h-2.6z");
const GRIP = icon("M5 2h2v2H5zm4 0h2v2H9zM5 7h2v2H5zm4 0h2v2H9zM5 12h2v2H5zm4 0h2v2H9z");

/** @param {Context} context */
export function followRowTools(context) {
    const { stage, store } = context;
    const headers = part(stage, "headers");
    const tools = document.createElement("div");
    tools.className = "row-tools";
    const menu = /** @type {import("../screens/row-menu.js").RowMenu} */ (part(stage, "row-menu"));
    /** @param {Element} from */
    const openMenu = (from, at = from.getBoundingClientRect()) => {
        const found = rowOfElement(from);
        if (found) void menu.open(found, { x: at.left, y: at.bottom });
    };
    const fill = () => {
        const found = rowOfElement(tools);
        if (!found) return;
        const { row, name } = found;
        const isPinned = shownOf(store.value).rows.pinned.some((track) => track === row);
        const pinning = isPinned ? "Unpin" : "Pin";
        const act = (/** @type {typeof hideRows} */ what) => () => what(context, [rowOfElement(tools) ?? found]);
        render(
            html`<button
                    type="button"
                    class="pin"
                    ?hidden=${typeof row === "string"}
                    aria-pressed=${String(isPinned)}
                    aria-label="${pinning} ${visible(name)}"
                    title="${pinning} (P)"
                    @click=${act(togglePins)}
                >
                    ${PIN}</button
                ><button
                    type="button"
                    class="hide"
                    aria-label="Hide ${visible(name)}"
                    title="Hide (H)"
                    @click=${act(hideRows)}
                >
                    ${HIDE}</button
                ><button
                    type="button"
                    class="more"
                    aria-haspopup="menu"
                    aria-label="More for ${visible(name)}"
                    title="More"
                    @click=${() => openMenu(tools)}
                >
                    ${MORE}</button
                ><span class="grip" title="Drag to move; Alt+↑, Alt+↓">${GRIP}</span>`,
            tools,
        );
    };
    const attach = (/** @type {HTMLElement} */ header, isPointed = false) => {
        tools.classList.toggle("pointed", isPointed);
        const isHeading = header.classList.contains("heading");
        if (tools.parentElement !== header) header.insertBefore(tools, isHeading ? header.lastElementChild : null);
        fill();
    };
    // A dialog that was opened from one of them gives the focus back to it.
    const remove = () => void (stage.root.querySelector("dialog:modal") || tools.remove());
    const detach = () => void (tools.matches(":focus-within") || remove());
    const closed = () => void (tools.parentElement?.matches(":hover") || detach());
    stage.root.addEventListener("close", closed, { capture: true, signal: stage.signal });
    headers.addEventListener("pointerover", ({ target, pointerType, buttons }) => {
        const header = target instanceof Element && pointerType !== "touch" && buttons === 0 ? rowOfElement(target)?.header : null;
        if (header && tools.parentElement !== header) attach(header, true);
    });
    headers.addEventListener("pointerleave", () => {
        const focused = rowOfElement(stage.root.activeElement);
        if (focused && headers.contains(focused.header)) attach(focused.header);
        else detach();
    });
    headers.addEventListener("focusin", ({ target }) => {
        const found = target instanceof Element ? rowOfElement(target) : null;
        if (!found) return;
        if (target instanceof Element && target.matches(":focus-visible")) attach(found.header);
        stopAt(headers, found.header);
    });
    headers.addEventListener("focusout", ({ relatedTarget }) => {
        const to = relatedTarget instanceof Element ? rowOfElement(relatedTarget)?.header : null;
        if (to !== tools.parentElement && !tools.parentElement?.matches(":hover")) remove();
    });
    headers.addEventListener("contextmenu", (event) => {
        const { target, clientX: x, clientY: y } = event;
        const found = target instanceof Element ? rowOfElement(target) : null;
        if (!found) return;
        event.preventDefault();
        const box = found.header.getBoundingClientRect();
        // The menu key has no place.
        void menu.open(found, x || y ? { x, y } : { x: box.left + 24, y: box.bottom });
    });
    followTouch(headers, (header, point) => void menu.open(header, point));
    headers.addEventListener("click", (event) => clicked(context, event), { capture: true });
    headers.addEventListener("keydown", (event) => walk(headers, event));
    follow(
        store,
        (state) => [shownOf(state).rows],
        () => tools.isConnected && fill(),
    );
    // Rows may have come or gone since the last change of the state.
    const stop = () => stopAtOne(headers);
    store.follow(stop);
    stage.reach.addEventListener("keydown", stop, { capture: true, signal: stage.signal });
    followDrags(context, headers);
}

/**
 * @param {Context} context
 * @param {MouseEvent} event
 */
function clicked(context, event) {
    const { target } = event;
    if (!(target instanceof Element)) return;
    if (target.closest("button.foot")) {
        const { rows } = shownOf(context.store.value);
        if (isNarrowed(rows)) widen(context);
        else openArranging(context.stage);
        return;
    }
    const found = rowOfElement(target);
    if (!found || !(event.ctrlKey || event.metaKey)) return;
    // It neither folds nor unfolds, and presses no button that is there only because of the pointer.
    event.stopPropagation();
    event.preventDefault();
    togglePicked(context, found);
}

/**
 * A finger that rests on a header opens its menu.
 * @param {HTMLElement} headers
 * @param {(header: import("./acts.js").Named, point: { x: number, y: number }) => void} open
 */
function followTouch(headers, open) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let resting;
    /** @type {PointerEvent | null} */
    let down = null;
    headers.addEventListener("pointerdown", (event) => {
        const { target, pointerType } = event;
        const found = target instanceof Element && pointerType === "touch" ? rowOfElement(target) : null;
        clearTimeout(resting);
        down = null;
        if (!found) return;
        // Otherwise, it would select a range of time.
        event.stopPropagation();
        down = event;
        resting = setTimeout(() => open(found, { x: event.clientX, y: event.clientY }), LONG);
    });
    headers.addEventListener("pointermove", ({ clientX, clientY }) => {
        if (down && Math.hypot(clientX - down.clientX, clientY - down.clientY) > STEADY) clearTimeout(resting);
    });
    for (const type of ["pointerup", "pointercancel"]) headers.addEventListener(type, () => clearTimeout(resting));
}
