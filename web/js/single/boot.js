// The only script of a page of one file that is not compressed: it unpacks the viewer's script, and runs it. The page's content security
// policy has the hashes of both, and permits no other script.

import { within } from "./packed.js";

const script = document.createElement("script");
void within("viewer-code").then(async (code) => {
    script.textContent = await code.text();
    document.head.append(script);
});
