// The colours of web/style/colours.css differ for every kind of eye.

import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { NAMED } from "../../web/js/paint/named.js";
import { HIDES } from "../../web/js/paint/scale.js";
import { luminance, parse, readTheme } from "../../web/js/theme.js";

/** Smallest OKLab distance of colours that meet on a lane. */
const APART = { light: 0.16, dark: 0.15 };

/** Smallest distance of colours that mean different things on different lanes, for normal eyes. */
const TOLD_APART = 0.1;

/** Colours that can be side by side, including the background. */
const CAPABILITY_LANE = ["running", "gc-working", "gc-wait", "gc-sync", "census"];
/** The lane of one of the runtime's own threads, which is nearly all one colour: a quiet one. */
const OF_RUNTIME = ["running", "runnable", "blocked", "foreign-of-runtime"];
const COLLECTIONS_LANE = ["gc-working", "gc-major"];
const THREAD_LANE = ["running", "runnable", "blocked", "foreign"];
const NONMOVING_LANE = ["nonmoving-mark", "nonmoving-sync", "nonmoving-sweep"];
const GROUNDS = ["background", "panel"];

/** The colours of names. */
const OF_NAMES = Array.from({ length: NAMED }, (_, at) => `band-${at}`);

/** Roles of spans that can have text. */
const SPANS = [...new Set([...CAPABILITY_LANE, ...THREAD_LANE, ...OF_RUNTIME, ...COLLECTIONS_LANE, ...NONMOVING_LANE, ...OF_NAMES])];

/**
 * Marks that need a contrast of 3:1 against both backgrounds, except
 * - gc-wait: it only occurs within a collection, between or beside gc-working and gc-sync, which give it its
 *   shape; the tooltip and the table name it;
 * - line: hairlines, which mean nothing by themselves.
 */
const MARKS = ["running", "gc-working", "gc-sync", "census", "gc-major", "heap", "spark", "accent", "evidence", ...OF_NAMES];

/** The colours of text, on both backgrounds. */
const WRITING = ["text", "muted", "accent", "evidence"];

/**
 * Frames of evidence lie over lanes, with a gap around them, and cross the lines and frames of what is selected. Smallest distance of both.
 */
const OVER = { states: 0.07, accent: 0.12 };

/** Machado, Oliveira and Fernandes 2009, severity 1.0; for linear RGB. */
const EYES = {
    normal: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ],
    protan: [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    deutan: [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.01182, 0.04294, 0.968881],
    ],
    tritan: [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.3039],
    ],
};

/** Björn Ottosson's, linear RGB to cone responses to OKLab. */
const TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB = [
    [0.2104542553, 0.793617785, -0.0040720468],
    [1.9779984951, -2.428592205, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.808675766],
];

const times = (matrix, vector) => matrix.map((row) => row.reduce((sum, factor, at) => sum + factor * vector[at], 0));
const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

/** A colour in OKLab, as a kind of eye sees it. */
function seen(hex, eye) {
    const rgb = times(
        EYES[eye],
        parse(hex).map((part) => linear(part / 255)),
    );
    const shown = rgb.map((part) => Math.min(1, Math.max(0, part)));
    return times(TO_LAB, times(TO_CONES, shown).map(Math.cbrt));
}

/** The distance of two colours for a kind of eye. */
function distance(a, b, eye) {
    const other = seen(b, eye);
    return Math.hypot(...seen(a, eye).map((part, at) => part - other[at]));
}

/** As WCAG 2 defines it. */
function contrast(a, b) {
    const [dark, light] = [a, b].map((hex) => luminance(parse(hex))).sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
}

/** The custom properties of a theme; the dark one overrides the light one. */
function themes() {
    const css = readFileSync(new URL("../../web/style/colours.css", import.meta.url), "utf8").replace(/\/\*.*?\*\//gs, "");
    const colours = (selector) => {
        const block = css.split(`${selector} {`)[1].split("}")[0];
        return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[\da-f]{6})\s*;/gi)].map(([, role, hex]) => [role, hex]));
    };
    const light = colours(":root,\n:host");
    return { light, dark: { ...light, ...colours(':root[data-theme="dark"],\n:host([data-theme="dark"])') } };
}

/** The page's choice of a colour for text on the colour of a role. */
function textOn(theme, role) {
    globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => theme[name.slice(2)] });
    const short = readTheme(null).textOn(role);
    return short.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
}

function pairs(roles) {
    return roles.flatMap((a, at) => roles.slice(at + 1).map((b) => [a, b]));
}

/** Reports all faults at once. */
function holds(faults) {
    assert.equal(faults.filter(Boolean).join("\n"), "");
}

test("distance and contrast are computed as defined", () => {
    assert.ok(Math.abs(distance("#ffffff", "#000000", "normal") - 1) < 1e-3);
    assert.ok(Math.abs(contrast("#ffffff", "#000000") - 21) < 1e-9);
    assert.ok(distance("#ff0000", "#00a000", "deutan") < distance("#ff0000", "#00a000", "normal") / 2);
    assert.ok(Math.abs(contrast("#767676", "#ffffff") - 4.54) < 0.01);
});

test("both themes have a colour of their own for every role", () => {
    const { light, dark } = themes();
    for (const role of [...SPANS, ...GROUNDS, ...MARKS, ...WRITING, "line"]) {
        assert.ok(light[role] && dark[role], role);
        assert.notEqual(light[role], dark[role], role);
    }
});

for (const [name, theme] of Object.entries(themes())) {
    describe(name, () => {
        test("idle has the colour of the background", () => assert.equal(theme.idle, theme.panel));

        const lanes = {
            "a capability's lane": CAPABILITY_LANE,
            "a thread's lane": THREAD_LANE,
            "the collections' lane": COLLECTIONS_LANE,
            "the non-moving collector's": NONMOVING_LANE,
        };
        for (const [lane, roles] of Object.entries(lanes)) {
            test(`what meets on ${lane} differs for every kind of eye`, () => {
                const meeting = [...pairs(roles), ...roles.flatMap((role) => GROUNDS.map((ground) => [role, ground]))];
                const checks = meeting.flatMap(([a, b]) => Object.keys(EYES).map((eye) => [a, b, eye]));
                holds(
                    checks.map(([a, b, eye]) => {
                        const apart = distance(theme[a], theme[b], eye);
                        return apart < APART[name] && `${a} and ${b} are ${apart.toFixed(4)} apart for ${eye} eyes`;
                    }),
                );
            });
        }

        test("what has different names on different lanes differs, too", () => {
            const all = [...new Set(Object.values(lanes).flat())];
            // Both mean waiting; one is never beside running threads.
            const kin = ["gc-wait", "runnable"];
            const others = pairs(all).filter((pair) => !pair.every((role) => kin.includes(role)));
            holds(
                others.map(([a, b]) => {
                    const apart = distance(theme[a], theme[b], "normal");
                    return apart < TOLD_APART && `${a} and ${b} are ${apart.toFixed(4)} apart`;
                }),
            );
        });

        test("evidence differs from what it lies over, and from what is selected, for every kind of eye", () => {
            const under = [...new Set([...CAPABILITY_LANE, ...THREAD_LANE])].map((role) => [role, OVER.states]);
            const checks = [...under, ["accent", OVER.accent]].flatMap(([role, least]) =>
                Object.keys(EYES).map((eye) => [role, least, eye]),
            );
            holds(
                checks.map(([role, least, eye]) => {
                    const apart = distance(theme.evidence, theme[role], eye);
                    return apart < least && `evidence and ${role} are ${apart.toFixed(4)} apart for ${eye} eyes`;
                }),
            );
        });

        test("foreign calls of the runtime's own threads are seen, but less than those of the program", () => {
            const [quiet, loud] = ["foreign-of-runtime", "foreign"].map((role) => theme[role]);
            for (const ground of GROUNDS) assert.ok(contrast(quiet, theme[ground]) < contrast(loud, theme[ground]) / 3, ground);
            holds(
                [...OF_RUNTIME, ...GROUNDS].flatMap((role) =>
                    Object.keys(EYES).map((eye) => {
                        const apart = distance(theme[role], quiet, eye);
                        return role !== "foreign-of-runtime" && apart < 0.08 && `${role} is ${apart.toFixed(4)} apart for ${eye} eyes`;
                    }),
                ),
            );
        });

        test("the values of a scale are readable over a line, which does not cross them out", () => {
            const ground = parse(theme.panel);
            holds(
                ["heap", "spark", "accent", ...OF_NAMES].map((role) => {
                    const mixed = parse(theme[role]).map((part, at) => Math.round(ground[at] * HIDES + part * (1 - HIDES)));
                    const under = `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
                    const [letters, line] = [contrast(theme.muted, under), contrast(theme.panel, under)];
                    return (letters < 4.5 || line > 1.25) && `over ${role}: letters ${letters.toFixed(2)}:1, the line ${line.toFixed(2)}:1`;
                }),
            );
        });

        test("text on a span is readable", () => {
            holds(
                SPANS.map((role) => {
                    const ratio = contrast(theme[role], textOn(theme, role));
                    return ratio < 4.5 && `text on ${role} has ${ratio.toFixed(2)}:1`;
                }),
            );
        });

        test("text on the page is readable", () => {
            holds(
                WRITING.flatMap((role) =>
                    GROUNDS.map((ground) => {
                        const ratio = contrast(theme[role], theme[ground]);
                        return ratio < 4.5 && `${role} on ${ground} has ${ratio.toFixed(2)}:1`;
                    }),
                ),
            );
        });

        test("marks contrast with their background", () => {
            holds(
                MARKS.flatMap((role) =>
                    GROUNDS.map((ground) => {
                        const ratio = contrast(theme[role], theme[ground]);
                        return ratio < 3 && `${role} on ${ground} has ${ratio.toFixed(2)}:1`;
                    }),
                ),
            );
        });
    });
}

test("text is written in black or white, whichever has more contrast", () => {
    for (let grey = 0; grey < 256; grey++) {
        const hex = `#${grey.toString(16).padStart(2, "0").repeat(3)}`;
        const chosen = textOn({ any: hex }, "any");
        assert.ok(contrast(hex, chosen) >= 4.5, `${chosen} on ${hex} has ${contrast(hex, chosen).toFixed(2)}:1`);
    }
});
