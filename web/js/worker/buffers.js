// The buffers that a file is read into, front to back, by this worker or the second one.

/** Bytes of a buffer: Chromium never has more of a stream at hand. */
export const PIECE = 2 << 20;

/** How many buffers are filled, on their way, or in use. */
export const BUFFERS = 3;
