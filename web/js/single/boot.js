// The only script of a page of one file that is not packed: it unpacks the viewer's own, and runs it. The page's policy knows both by their
// hashes, and lets no other run.

import { bytesOf, unpacked } from "./packed.js";

const packed = document.getElementById("viewer-code")?.textContent ?? "";
const script = document.createElement("script");
void unpacked(new Blob(bytesOf(packed))).then(async (code) => {
    script.textContent = await code.text();
    document.head.append(script);
});
