// The account: where the time of all capabilities went, as a bar, and as a list of the same numbers that can be unfolded. Each part leads to
// its longest stretch.

import { html, nothing } from "lit";
import { aboutFigure } from "../explained.js";
import { count, duration, percent } from "../format.js";
import { HATCHED } from "../paint/colour.js";
import { textOnRgb } from "../theme.js";

/** @typedef {import("../protocol.js").Account} Account */
/** @typedef {import("../protocol.js").AccountPart} AccountPart */

/** @typedef {import("../theme.js").Theme} Theme */

/**
 * @typedef {object} AccountShown
 * @property {Account} account
 * @property {string} time what it is about, if a range is selected; empty for the whole log, whose time the verdict says
 * @property {(part: string) => void} show shows the longest stretch of a part, by its key
 * @property {string} chosen the id of what is chosen: "account." and the key, for a part
 * @property {Theme} theme
 * @property {boolean} printed whether it is for paper
 * @property {boolean} listed whether the list is unfolded
 * @property {() => void} list unfolds the list, or folds it
 */

/** A part's text has room in the bar if the part has at least this share of it for each letter. */
const LETTER = 0.0055;

/** How much of its role's colour the first part of idle time has, and the factor from each one to the next of the same role. */
const SHADE = { first: 0.6, next: 0.75 };

/** Parts with a smaller share are folded in the list, if there are several. */
const SMALL = 0.005;

/** What the names of idle time begin with; below the sum of all of it, the list leaves that out. */
const IDLE_NAME = /^Idle: /;

/** @typedef {Pick<AccountShown, "show" | "chosen" | "theme" | "printed">} Doing */
/**
 * @typedef {AccountPart & { share: number, shade: number, striped: boolean }} Shaded a part, its share of all time, how much of its role's
 *     colour it has, and whether it has stripes, since another part has that colour
 */

/**
 * The parts that have any time, with their colours: those of idle time are shades; of others with one role, the later ones have stripes.
 * @param {Pick<Account, "parts" | "all">} account
 * @returns {Shaded[]}
 */
export function shadedParts({ parts, all }) {
    /** @type {Map<string, number>} */
    const before = new Map();
    return parts
        .filter(({ time }) => time > 0)
        .map((part) => {
            const share = part.time / all;
            const role = `${part.role} ${part.idle}`;
            const at = before.get(role) ?? 0;
            before.set(role, at + 1);
            if (!part.idle) return { ...part, share, shade: 1, striped: at > 0 && part.role !== HATCHED };
            return { ...part, share, shade: SHADE.first * SHADE.next ** at, striped: false };
        });
}

/** @param {AccountShown} shown */
export function accountPart({ account, time, show, chosen, theme, printed, listed, list }) {
    const { all, caps } = account;
    const parts = all > 0 ? shadedParts(account) : [];
    if (parts.length === 0) return nothing;
    const doing = { show, chosen, theme, printed };
    const few = parts.filter(({ share }) => share < SMALL);
    const small = printed || few.length < 2 ? [] : few;
    const [busy, idle] = [false, true].map((isIdle) => parts.filter((part) => part.idle === isIdle && !small.includes(part)));
    const whole = `${caps === 1 ? "1 capability" : `${count(caps)} capabilities`} × ${duration(account.time)} = ${duration(all)}`;
    const fold = html`<button class="list-parts" aria-expanded=${listed} aria-controls="account-parts" title=${listed ? "Fold the list" : "List all parts, with their times"} @click=${list}>Parts <span aria-hidden="true">${listed ? "▴" : "▾"}</span></button>`;
    return html`<section class="account" aria-label="Where the time went">
        <h3 class=${time || printed ? nothing : "visually-hidden"}>Where the time went${time ? html` <span class="muted">${time}: ${whole}</span>` : nothing}</h3>
        <div class="account-row">
            <div class="account-bar" aria-hidden="true">${parts.map((part) => barPart(part, doing))}</div>
            ${printed ? nothing : fold}
        </div>
        <div id="account-parts" ?hidden=${!listed && !printed}>
            <ul class="account-list">
                ${busy.map((part) => listPart(part, doing))} ${idle.length > 1 ? idleSum(parts.filter((part) => part.idle)) : nothing} ${idle.map((part) => listPart(part, doing, idle.length > 1))}
            </ul>
            ${small.length > 0 ? smallParts(small, doing) : nothing}
        </div>
    </section>`;
}

/**
 * A part of the bar. Keys and screen readers use the list, which has the same buttons: a part of the bar may be too narrow to be seen.
 * @param {Shaded} part
 * @param {Doing} doing
 */
function barPart(part, { show, chosen, theme, printed }) {
    const { key, name, share, longest } = part;
    const text = `${name} ${percent(share)}`;
    const inside = share > LETTER * text.length ? html`<span>${text}</span>` : nothing;
    const style = `flex-grow: ${share}; ${colourOf(part, theme)}`;
    if (printed || !longest) return html`<span class="part" data-part=${key} .style=${style} title=${hintOf(part)}>${inside}</span>`;
    return html`<button class="part" tabindex="-1" data-part=${key} ?data-chosen=${chosen === `account.${key}`} .style=${style} title=${hintOf(part)} @click=${() => show(key)}>${inside}</button>`;
}

/**
 * @param {Shaded[]} small
 * @param {Doing} doing
 */
function smallParts(small, doing) {
    const share = small.reduce((sum, part) => sum + part.share, 0);
    return html`<details class="small-parts">
        <summary>${count(small.length)} smaller parts, ${percent(share)}</summary>
        <ul class="account-list">${small.map((part) => listPart(part, doing))}</ul>
    </details>`;
}

/** @param {Shaded[]} idle */
function idleSum(idle) {
    const [share, time] = [idle.reduce((sum, part) => sum + part.share, 0), idle.reduce((sum, part) => sum + part.time, 0)];
    return html`<li class="entry idle"><span>Idle <b>${percent(share)}</b> <span class="muted">${duration(time)}</span>, of it:</span></li>`;
}

/**
 * @param {Shaded} part
 * @param {Doing} doing
 * @param {boolean} [isReason] whether it is listed as a reason for idle time
 */
function listPart(part, { show, chosen, theme, printed }, isReason = false) {
    const { key, name, time, share, longest } = part;
    const inside = html`<span class="swatch" .style=${colourOf(part, theme)}></span> ${isReason ? name.replace(IDLE_NAME, "") : name} <b>${percent(share)}</b> <span class="muted">${duration(time)}</span>`;
    if (printed || !longest) return html`<li class="entry" data-part=${key} title=${hintOf(part)}>${inside}</li>`;
    return html`<li><button class="entry" data-part=${key} aria-current=${chosen === `account.${key}` ? "true" : nothing} title=${hintOf(part)} @click=${() => show(key)}>${inside}</button></li>`;
}

/**
 * What a part is, and what a click does.
 * @param {Shaded} part
 */
function hintOf({ key, name, time, share, longest }) {
    const where = longest ? ` Click to see the longest stretch, ${duration(longest.to - longest.from)}.` : "";
    return `${name}: ${percent(share)}, ${duration(time)}. ${aboutFigure("account", key) ?? ""}${where}`;
}

/**
 * @param {Pick<Shaded, "role" | "shade" | "striped">} part
 * @param {Theme} theme
 */
function colourOf({ role, shade, striped }, theme) {
    if (role === HATCHED)
        return `background: repeating-linear-gradient(135deg, ${theme.css(role)} 0 1px, ${theme.css("panel")} 1px 5px); color: ${theme.css("text")}`;
    if (striped)
        return `background: repeating-linear-gradient(45deg, ${theme.css(role)} 0 4px, color-mix(in srgb, ${theme.css(role)} 45%, ${theme.css("panel")}) 4px 8px); --ground: ${theme.css(role)}; color: ${textOnRgb(theme.rgb(role))}`;
    const ground = theme.rgb("panel");
    const rgb = /** @type {import("../paint/colour.js").Rgb} */ (
        theme.rgb(role).map((part, at) => Math.round(part * shade + ground[at] * (1 - shade)))
    );
    return `background: rgb(${rgb.join(" ")}); color: ${textOnRgb(rgb)}`;
}
