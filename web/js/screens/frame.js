// The frame of the viewer: all its parts in its element. Each part renders itself, with the context that it is started with.

import { html, nothing } from "lit";
import { Part } from "../panels/part.js";
import "../panels/drawer.js";
import "../panels/selection.js";
import "./bar.js";
import "./choice.js";
import "./clock.js";
import "./error.js";
import "./following.js";
import "./going.js";
import "../notes/dialog.js";
import "../sources/dialog.js";
import "./help.js";
import "./hint.js";
import "./link.js";
import "./notices.js";
import "./progress.js";
import "./question.js";
import "./row-arranging.js";
import "./row-menu.js";
import "./row-notice.js";
import "./rows-bar.js";
import "./span-rows.js";
import "./thread-rows.js";
import "./welcome.js";
import "./whole.js";

/** @param {boolean} own whether the viewer owns the page: then its bar and its main part are the page's landmarks */
export function frame(own) {
    return html`
        <log-bar id="bar" class="bar" role=${own ? "banner" : "region"} aria-label=${own ? nothing : "Log"}></log-bar>
        <log-progress id="reading" class="progress for-loading" role="region" aria-label="Progress"></log-progress>
        <log-following id="following" class="progress" role="region" aria-label="What the threads did" hidden></log-following>
        <log-notices id="lost"></log-notices>
        <log-link id="about-link"></log-link>
        <log-error id="wrong" class="error"></log-error>
        <div class="main" role=${own ? "main" : nothing}>
            <log-welcome id="welcome" class="start" role="region" aria-labelledby="start-title"></log-welcome>
            <log-question id="question" class="choose" role="region" aria-labelledby="question-title"></log-question>
            <log-choice id="choice" class="choose" role="region" aria-labelledby="choose-title"></log-choice>
            <section class="log" aria-label="Timeline">
                <div class="whole">
                    <log-whole id="whole-name" class="name"></log-whole>
                    <canvas id="overview" role="img" aria-label="The whole log: mean utilisation of all capabilities. The table below has the numbers."></canvas>
                </div>
                <div class="middle">
                    <div class="column">
                        <div id="timeline" class="timeline" tabindex="0" role="application" aria-label="Tracks. Press Q to read them cell by cell, ? for the keys.">
                            <div class="corner"><rows-bar id="rows-bar"></rows-bar><log-clock></log-clock></div>
                            <div id="sizer" class="sizer">
                                <div id="headers" class="headers" role="list" aria-label="Tracks"></div>
                            </div>
                            <canvas id="canvas" aria-hidden="true"></canvas>
                            <div id="grid" class="grid" role="grid" tabindex="0" aria-label="What the tracks show, cell by cell" hidden></div>
                        </div>
                        <div class="noting">
                            <log-hint id="hint"></log-hint>
                            <p id="noted" class="noted" aria-hidden="true" hidden></p>
                            <row-notice id="row-notice"></row-notice>
                        </div>
                        <div id="paper" class="paper" aria-hidden="true"></div>
                        <p id="unprinted" class="unprinted"></p>
                        <log-drawer id="drawer"></log-drawer>
                    </div>
                    <log-selection id="details" class="details" role="complementary" aria-label="Selection" hidden></log-selection>
                </div>
                <div id="tooltip" class="tooltip" role="tooltip" hidden></div>
            </section>
        </div>
        <log-hint id="first-hint" .first=${true}></log-hint>
        <div id="drop" class="drop-cover" hidden>Drop to open</div>
        <thread-rows id="rows-of-threads"></thread-rows>
        <span-rows id="rows-of-spans"></span-rows>
        <row-arranging id="row-arranging-part"></row-arranging>
        <row-menu id="row-menu"></row-menu>
        <log-going id="going"></log-going>
        <log-noting id="note-dialog"></log-noting>
        <log-sources id="sources-dialog"></log-sources>
        <log-help id="keys-help"></log-help>
        <p id="announcer" class="visually-hidden" aria-live="polite"></p>
    `;
}

/**
 * @param {ShadowRoot} root
 * @param {import("../context.js").Context} context
 */
export function startParts(root, context) {
    for (const element of root.querySelectorAll("*")) if (element instanceof Part) element.start(context);
}
