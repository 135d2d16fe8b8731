// Profiles of heap and time, drawn as flame graphs if they have stacks.

import { addPanel } from "../panel.js";

addPanel({
    key: "profile",
    name: "Profile",
    sections: ["heap_profile", "time_profile", "definitions"],
    what: "what the heap is made of, and where the time goes",
});
