// The messages that the program wrote into its log.

import { addPanel } from "../panel.js";

addPanel({
    key: "messages",
    name: "Messages",
    sections: ["spans", "messages"],
    what: "what the program wrote with traceEvent and traceMarker, and how long its spans took",
});
