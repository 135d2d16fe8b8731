// What the search has found.

import { html } from "lit";
import { addPanel } from "../panel.js";
import "../hits.js";
import { numberFound } from "../../search/hits.js";

addPanel({
    key: "search",
    name: "Search",
    sections: [],
    what: "what the search field (/) has found",
    // The same number as in the search field.
    counted: (_, { search }) => {
        const found = numberFound(search?.report);
        return found && { count: found.count, things: `${found.thing}${found.count === 1 ? "" : "s"}` };
    },
    render: ({ acts, times, search, sources }) =>
        html`<log-hits .search=${search} .times=${times} .sources=${sources} .acts=${acts.hits}></log-hits>`,
});
