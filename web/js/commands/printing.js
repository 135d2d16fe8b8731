// Printing: by the browser's own key, which print.js follows.

import { addCommands } from "./command.js";

addCommands([{ keys: "Ctrl+P", name: "print" }]);
