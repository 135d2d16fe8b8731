// Replaces the unpacker in a page of one file, which would be a third larger with it. Browsers unpack gzip.

import { Unreadable } from "../worker/unreadable.js";

export default async function () {
    throw new Unreadable("this page of one file unpacks undamaged gzip only; unpack the file, or open it in the viewer's full page");
}

export const Unpacker = null;
