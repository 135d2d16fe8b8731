// Unpacks LZMA, which makes a page of one file smaller than gzip does, by a quarter of its wasm. Browsers have no decoder of it.
//
// The names are those of the LZMA specification (https://7-zip.org/sdk.html, lzma-specification.txt), which also says why each step is as it is.

/** Bytes to unpack without a pause: the page stays able to act. */
const TURN = 1 << 18;

/** The number of states, of distances' slots for each length, and where a match's shortest length starts. */
const STATES = 12;
const POS_STATES_MAX = 16;
const LEN_TO_POS_STATES = 4;
const MATCH_MIN_LEN = 2;

/** Where each kind of probability starts in the one array of them. */
const IS_MATCH = 0;
const IS_REP = IS_MATCH + STATES * POS_STATES_MAX;
const IS_REP_G0 = IS_REP + STATES;
const IS_REP_G1 = IS_REP_G0 + STATES;
const IS_REP_G2 = IS_REP_G1 + STATES;
const IS_REP0_LONG = IS_REP_G2 + STATES;
const POS_SLOT = IS_REP0_LONG + STATES * POS_STATES_MAX;
const POS_DECODERS = POS_SLOT + LEN_TO_POS_STATES * 64;
const ALIGN = POS_DECODERS + 128;
const LEN = ALIGN + 16;
/** A decoder of lengths: two choices, 8 short and 8 middle lengths for each state of the position, and 256 long ones. */
const LEN_SIZE = 2 + POS_STATES_MAX * 16 + 256;
const REP_LEN = LEN + LEN_SIZE;
const LITERAL = REP_LEN + LEN_SIZE;

/**
 * @param {Uint8Array} packed in the format "LZMA alone", with its size in the header
 * @param {() => unknown} [pause] what is awaited now and then
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function unpackLzma(packed, pause = () => new Promise((resolve) => setTimeout(resolve))) {
    const properties = /** @type {number} */ (packed[0]);
    const lc = properties % 9;
    const lp = ((properties / 9) | 0) % 5;
    const pb = (properties / 45) | 0;
    const size = new DataView(packed.buffer, packed.byteOffset).getUint32(5, true);
    const out = new Uint8Array(size);
    const probs = new Uint16Array(LITERAL + (0x300 << (lc + lp))).fill(1 << 10);

    // The range decoder: the first of its bytes is always 0.
    let next = 14;
    let range = -1 >>> 0;
    let code = 0;
    for (let i = 0; i < 4; i++) code = ((code << 8) | /** @type {number} */ (packed[next++])) >>> 0;

    /** @param {number} at of a probability */
    const bit = (at) => {
        const prob = /** @type {number} */ (probs[at]);
        const bound = (range >>> 11) * prob;
        let is = 0;
        if (code < bound) {
            range = bound;
            probs[at] = prob + ((2048 - prob) >> 5);
        } else {
            range = (range - bound) >>> 0;
            code = (code - bound) >>> 0;
            probs[at] = prob - (prob >> 5);
            is = 1;
        }
        if (range < 1 << 24) {
            range = (range << 8) >>> 0;
            code = ((code << 8) | /** @type {number} */ (packed[next++])) >>> 0;
        }
        return is;
    };
    /**
     * @param {number} at
     * @param {number} bits
     */
    const tree = (at, bits) => {
        let symbol = 1;
        for (let i = 0; i < bits; i++) symbol = (symbol << 1) | bit(at + symbol);
        return symbol - (1 << bits);
    };
    /**
     * @param {number} at
     * @param {number} bits
     */
    const reverseTree = (at, bits) => {
        let symbol = 1;
        let sum = 0;
        for (let i = 0; i < bits; i++) {
            const is = bit(at + symbol);
            symbol = (symbol << 1) | is;
            sum |= is << i;
        }
        return sum;
    };
    /** @param {number} bits each as likely as not */
    const direct = (bits) => {
        let sum = 0;
        for (let i = 0; i < bits; i++) {
            range >>>= 1;
            const is = code >= range ? 1 : 0;
            if (is) code = (code - range) >>> 0;
            sum = (sum << 1) | is;
            if (range < 1 << 24) {
                range = (range << 8) >>> 0;
                code = ((code << 8) | /** @type {number} */ (packed[next++])) >>> 0;
            }
        }
        return sum;
    };
    /**
     * @param {number} at
     * @param {number} posState
     */
    const length = (at, posState) => {
        if (!bit(at)) return tree(at + 2 + posState * 8, 3);
        if (!bit(at + 1)) return 8 + tree(at + 2 + POS_STATES_MAX * 8 + posState * 8, 3);
        return 16 + tree(at + 2 + POS_STATES_MAX * 16, 8);
    };
    /** @param {number} len */
    const distance = (len) => {
        const slot = tree(POS_SLOT + Math.min(len, LEN_TO_POS_STATES - 1) * 64, 6);
        if (slot < 4) return slot;
        const bits = (slot >> 1) - 1;
        const dist = (2 | (slot & 1)) << bits;
        if (slot < 14) return dist + reverseTree(POS_DECODERS + dist - slot, bits);
        return dist + (direct(bits - 4) << 4) + reverseTree(ALIGN, 4);
    };

    let state = 0;
    let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
    let done = 0;
    const literal = () => {
        const before = done > 0 ? /** @type {number} */ (out[done - 1]) : 0;
        const at = LITERAL + 0x300 * (((done & ((1 << lp) - 1)) << lc) + (before >> (8 - lc)));
        let symbol = 1;
        if (state >= 7) {
            let match = /** @type {number} */ (out[done - rep0 - 1]);
            do {
                const matched = (match >> 7) & 1;
                match <<= 1;
                const is = bit(at + ((1 + matched) << 8) + symbol);
                symbol = (symbol << 1) | is;
                if (matched !== is) break;
            } while (symbol < 0x100);
        }
        while (symbol < 0x100) symbol = (symbol << 1) | bit(at + symbol);
        out[done++] = symbol;
        state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
    };
    /** Decodes a literal or a match. */
    const step = () => {
        const posState = done & ((1 << pb) - 1);
        if (!bit(IS_MATCH + state * POS_STATES_MAX + posState)) return literal();
        let len = 0;
        if (!bit(IS_REP + state)) {
            [rep3, rep2, rep1] = [rep2, rep1, rep0];
            len = length(LEN, posState);
            state = state < 7 ? 7 : 10;
            rep0 = distance(len);
        } else {
            if (!bit(IS_REP_G0 + state)) {
                if (!bit(IS_REP0_LONG + state * POS_STATES_MAX + posState)) {
                    state = state < 7 ? 9 : 11;
                    out[done] = /** @type {number} */ (out[done - rep0 - 1]);
                    done++;
                    return;
                }
            } else if (!bit(IS_REP_G1 + state)) [rep0, rep1] = [rep1, rep0];
            else if (!bit(IS_REP_G2 + state)) [rep0, rep1, rep2] = [rep2, rep0, rep1];
            else [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
            len = length(REP_LEN, posState);
            state = state < 7 ? 8 : 11;
        }
        const end = Math.min(done + len + MATCH_MIN_LEN, size);
        for (let from = done - rep0 - 1; done < end; ) out[done++] = /** @type {number} */ (out[from++]);
    };
    while (done < size) {
        for (const end = Math.min(done + TURN, size); done < end; ) step();
        await pause();
    }
    return out;
}
