// The style of all viewers of a page, as text, from one file for each part of the viewer. Later rules override earlier ones: first the
// common rules, then the parts, then the rules for some windows and for paper.

import colours from "../style/colours.css";
import base from "../style/base.css";
import states from "../style/states.css";
import bar from "../style/bar.css";
import notices from "../style/notices.css";
import start from "../style/start.css";
import layout from "../style/layout.css";
import timeline from "../style/timeline.css";
import headers from "../style/headers.css";
import arranging from "../style/arranging.css";
import tooltip from "../style/tooltip.css";
import drawer from "../style/drawer.css";
import selection from "../style/selection.css";
import figures from "../style/figures.css";
import findings from "../style/findings.css";
import hits from "../style/hits.css";
import links from "../style/links.css";
import hints from "../style/hints.css";
import histograms from "../style/histograms.css";
import tables from "../style/tables.css";
import events from "../style/events.css";
import ends from "../style/ends.css";
import flame from "../style/flame.css";
import sources from "../style/sources.css";
import help from "../style/help.css";
import narrow from "../style/narrow.css";
import low from "../style/low.css";
import fingers from "../style/fingers.css";
import forced from "../style/forced.css";
import print from "../style/print.css";

const PARTS = [
    [colours, base, states],
    [
        bar,
        notices,
        start,
        layout,
        timeline,
        headers,
        arranging,
        tooltip,
        drawer,
        selection,
        figures,
        findings,
        hits,
        links,
        hints,
        histograms,
        tables,
        events,
        ends,
        flame,
        sources,
        help,
    ],
    [narrow, low, fingers, forced, print],
];

export const text = PARTS.flat().join("\n");
