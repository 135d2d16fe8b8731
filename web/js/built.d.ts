// What the bundler puts in place of names (web/bundle.js, web/offline.js).

/** Whether this is the page that is published, and not one that is worked on. */
declare const PUBLISHED: boolean;

/** Whether the wasm is in two parts: `cargo xtask build` splits it, Trunk and `cargo xtask serve` do not. */
declare const SPLIT: boolean;

/** The text of page.css. */
declare const PAGE_STYLE: string;

/** In a page of one file, its texts after the first, which is its script: the worker's script, the style and the licences. */
declare var viewerTexts: string[];

/** The page's version: a hash of all its files. */
declare const VERSION: string;

/** The SHA-256 of each file of the page, as base64, by its path from the page's folder; "" is the page itself. */
declare const FILES: Record<string, string>;
