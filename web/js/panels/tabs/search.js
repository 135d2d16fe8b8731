// What the search has found.

import { html } from "lit";
import { addPanel } from "../panel.js";
import "../hits.js";

addPanel({
    key: "search",
    name: "Search",
    sections: [],
    what: "what the search field (/) has found",
    counted: (_, { search }) => {
        const { found, names = [] } = search?.report ?? {};
        if (!found) return undefined;
        // Findings, threads and other things with such a name.
        const total = names.reduce((sum, { count }) => sum + count, found.total);
        return { count: total, things: total === 1 ? "thing found" : "things found" };
    },
    render: ({ acts, times, search, sources }) =>
        html`<log-hits .search=${search} .times=${times} .sources=${sources} .acts=${acts.hits}></log-hits>`,
});
