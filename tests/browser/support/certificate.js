// A certificate for an https server, made anew for each test: nothing is signed with it that anyone trusts.

import { generateKeyPairSync, sign } from "node:crypto";

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BITS = 0x03;
const OBJECT = 0x06;
const TEXT = 0x0c;
const TIME = 0x17;
const BYTES = 0x04;
const VERSION = 0xa0;
const HOST = 0x82;
const EXTENSIONS = 0xa3;

/** An element of DER: its type, its length, its contents. */
function element(type, ...parts) {
    const contents = Buffer.concat(parts);
    const { length } = contents;
    const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
    return Buffer.concat([Buffer.from([type, ...head]), contents]);
}

/** 1.2.840.10045.4.3.2: ECDSA with SHA-256. */
const ALGORITHM = element(SEQUENCE, element(OBJECT, Buffer.from("2a8648ce3d040302", "hex")));
/** 2.5.4.3: a common name. */
const COMMON_NAME = element(OBJECT, Buffer.from("550403", "hex"));
/** 2.5.29.17: the hosts that it is for. */
const HOSTS = element(OBJECT, Buffer.from("551d11", "hex"));

/** A time in UTC as `YYMMDDhhmmssZ`. */
const time = (date) => element(TIME, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`));

/**
 * A key, and a certificate that it has signed itself.
 * @param {string} host
 * @returns {{ key: string, cert: string }} in PEM
 */
export function certificateOf(host) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const name = element(SEQUENCE, element(SET, element(SEQUENCE, COMMON_NAME, element(TEXT, Buffer.from(host)))));
    const hosts = element(SEQUENCE, element(HOST, Buffer.from(host)));
    const now = Date.now();
    const day = 86_400_000;
    const signed = element(
        SEQUENCE,
        // Version 3.
        element(VERSION, element(INTEGER, Buffer.from([2]))),
        element(INTEGER, Buffer.from([1])),
        ALGORITHM,
        name,
        element(SEQUENCE, time(new Date(now - day)), time(new Date(now + day))),
        name,
        publicKey.export({ type: "spki", format: "der" }),
        element(EXTENSIONS, element(SEQUENCE, element(SEQUENCE, HOSTS, element(BYTES, hosts)))),
    );
    const signature = element(BITS, Buffer.from([0]), sign("sha256", signed, privateKey));
    const lines = element(SEQUENCE, signed, ALGORITHM, signature)
        .toString("base64")
        .match(/.{1,64}/g);
    const cert = ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
    return { key: privateKey.export({ type: "pkcs8", format: "pem" }), cert };
}
