// Times: which are shown, and going to one.

import { addCommands } from "./command.js";
import { CLOCK_KEY, nextClock } from "../clock.js";
import { part } from "../stage.js";

addCommands([
    {
        id: "clock.turn",
        codes: ["KeyC"],
        keys: CLOCK_KEY,
        name: "show times since the log's start, or the time of day, here or in UTC",
        run: nextClock,
    },
    {
        id: "time.go",
        codes: ["KeyG"],
        keys: "G",
        name: "go to a moment: 1.284 s, or 14:03:12.5 by the clock",
        run: ({ stage, store }) => {
            if (store.value.view) /** @type {import("../screens/going.js").LogGoing} */ (part(stage, "going")).show();
        },
    },
]);
