// Folding groups, and going from one name to the next: by the keys of the heading that has the focus (headers.js, arranging/focus.js).

import { addCommands } from "./command.js";

addCommands([
    { keys: "Enter ← →", name: "on a group's heading: fold and unfold it" },
    { keys: "↑ ↓", name: "on the name of a row or a group: to the one above or below" },
]);
