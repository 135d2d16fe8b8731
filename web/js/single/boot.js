// The only script of a page of one file that is not compressed: it unpacks the viewer's script, and runs it. The page's content security
// policy has the hashes of both, and permits no other script.

import { bytesOf, unpacked } from "./packed.js";

const packed = document.getElementById("viewer-code")?.textContent ?? "";
const script = document.createElement("script");
void unpacked(new Blob(bytesOf(packed))).then(async (code) => {
    script.textContent = await code.text();
    document.head.append(script);
});
