// Notes in the address of a page that the viewer owns, if they are short, so that a link shows them: `notes=[[1284000000,"here"]]`.

import { addNotes, notesIn, notesText } from "./notes.js";
import { encoded, setInAddress } from "../fragment.js";
import { valueForAny } from "../link/link.js";
import { follow } from "../store.js";
import { shownOf } from "../state.js";

const KEY = "notes";

/** Longer notes are not in the address: links are cut by what sends them. */
const LONGEST = 1000;

/** @param {import("../context.js").Context} context */
export function followNotesInAddress(context) {
    const { stage, store } = context;
    if (!stage.own) return;
    /** What the address brings, until the log is there. */
    let brought = notesIn(valueForAny(location.hash, KEY));
    follow(
        store,
        (state) => [state.shown, shownOf(state).finished],
        (state) => {
            if (!shownOf(state).finished || brought.length === 0) return;
            const notes = brought;
            brought = [];
            addNotes(context, notes);
        },
    );
    follow(
        store,
        (state) => [shownOf(state).notes, shownOf(state).finished],
        (state) => {
            const { notes, finished } = shownOf(state);
            if (finished && brought.length === 0) write(notesText(notes));
        },
    );
}

/** @param {string} text */
function write(text) {
    setInAddress(KEY, text && encoded(text).length <= LONGEST ? text : null);
}
