// The parts of the page that the focus can be in.

import { addCommands } from "./command.js";
import { drawerOf } from "../stage.js";

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
]);
