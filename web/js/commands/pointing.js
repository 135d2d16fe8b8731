// Help on what mouse, touch and wheel do on the timeline (navigation/gesturing.js does it).

import { addCommands } from "./command.js";

addCommands([
    { keys: "wheel", name: "scroll the tracks up and down" },
    { keys: "Ctrl+wheel pinch", name: "zoom in and out" },
    { keys: "Shift+wheel Shift+drag", name: "move left and right" },
    { keys: "click", name: "details of a span" },
    { keys: "Ctrl+click", name: "measure from the selected span to this one" },
    { keys: "drag long_press", name: "select a range; its edges can be dragged, and snap to what begins or ends near" },
    { keys: "Alt+drag", name: "select a range that does not snap" },
    { keys: "Shift+click", name: "on a table's row: select the time from the row chosen before" },
    { keys: "Alt+← Alt+→", name: "back and forward to earlier views" },
]);
