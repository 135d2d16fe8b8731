/**
 * How long a test waits for anything, in ms. Other tests run at the same time, on machines of two slow cores, so that a part of a second
 * may become many; only a test that fails takes this long.
 */
export const PATIENCE = 60_000;
