// The parts of the page that the focus can be in.

import { addCommands } from "./command.js";
import { drawerOf, part } from "../stage.js";

addCommands([
    {
        id: "focus.pane",
        codes: ["F6"],
        keys: "F6",
        name: "from the timeline to the open tab, and back",
        run: ({ stage, timeline }) => {
            const drawer = drawerOf(stage);
            if (drawer.matches(":focus-within")) timeline.focus();
            else drawer.focusTab();
        },
    },
    {
        id: "focus.grid",
        codes: ["KeyQ"],
        keys: "Q",
        name: "read the timeline cell by cell: then arrows go from cell to cell, Enter selects what is there, Esc ends it",
        run: ({ stage }) => part(stage, "grid").focus(),
    },
]);
