// The messages that the program wrote into its log.

import { addPanel } from "../panel.js";

addPanel({
    key: "messages",
    name: "Messages",
    sections: ["spans", "messages"],
    what: "what the program wrote by traceEvent and traceMarker, and how long it was between START and STOP",
});
