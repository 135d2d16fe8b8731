// Replaces the loading of logs from servers in a page of one file: its content security policy permits no requests, or only for logs beside
// it.

import { Unreadable } from "../worker/unreadable.js";

/**
 * @param {{ url: string }} origin
 * @param {AbortSignal} signal
 */
export async function load({ url }, signal) {
    const response = await fetch(url, { signal, credentials: "omit" }).catch(() => null);
    if (!response) throw new Unreadable("this page of one file loads no logs from servers; download it, and drop it here");
    if (!response.ok) throw new Unreadable(`the server says ${response.status} ${response.statusText}`);
    return response.blob();
}
