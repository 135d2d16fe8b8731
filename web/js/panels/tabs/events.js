// All events, as a listing.

import { addPanel } from "../panel.js";

addPanel({ key: "events", name: "Events", what: "every event of the log" });
