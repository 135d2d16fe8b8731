// Folding groups: by the keys of the heading that has the focus (headers.js).

import { addCommands } from "./command.js";

addCommands([{ keys: "Enter ← →", name: "on a group's heading: fold and unfold it" }]);
