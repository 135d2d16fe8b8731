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
        const total = search?.report?.found?.total;
        return total === undefined ? undefined : { count: total, things: total === 1 ? "hit" : "hits" };
    },
    render: ({ acts, times, search, sources }) =>
        html`<log-hits .search=${search} .times=${times} .sources=${sources} .acts=${acts.hits}></log-hits>`,
});
