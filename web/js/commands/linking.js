// Links to what is on the screen.

import { addCommands } from "./command.js";
import { copyLink } from "../link/making.js";

addCommands([
    {
        id: "link.copy",
        codes: ["KeyY"],
        keys: "Y",
        name: "copy a link to this: the view with its selection; in a table, to the row",
        run: (context) => void copyLink(context),
    },
]);
