// The only script of a page of one file that is not compressed: it unpacks the viewer's script, and runs it. The page's content security
// policy has the hashes of both, and permits no other script.

import { SEPARATOR, within } from "./packed.js";

const script = document.createElement("script");
void within("viewer-texts").then(async (packed) => {
    const [code = "", ...texts] = (await packed.text()).split(SEPARATOR);
    globalThis.viewerTexts = texts;
    script.textContent = code;
    document.head.append(script);
});
