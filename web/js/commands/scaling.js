// What the height of lines is relative to.

import { addCommands } from "./command.js";
import { SCALED, SCALE_KEY, next } from "../scaling.js";

addCommands([
    {
        id: "lines.scale",
        codes: ["KeyL"],
        keys: SCALE_KEY,
        name: "scale lines to the whole log, to what is in view, by their unit, or each on its own",
        run: ({ store, note }) => {
            const scaling = next(store.value.scaling);
            store.set({ scaling });
            note(SCALED[scaling]);
        },
    },
]);
