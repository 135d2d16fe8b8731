// What the height of lines is relative to.

import { addCommands } from "./command.js";
import { SCALED, SCALE_KEY, other } from "../scaling.js";

addCommands([
    {
        id: "lines.scale",
        codes: ["KeyL"],
        keys: SCALE_KEY,
        name: "scale lines to what is in view, or to the whole log",
        run: ({ store, note }) => {
            const scaling = other(store.value.scaling);
            store.set({ scaling });
            note(SCALED[scaling]);
        },
    },
]);
