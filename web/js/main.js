// The script that the page loads. The viewer is an element: of this page, or of any page that has one beside its own content.

import "./element.js";
import { keepOffline } from "./offline/install.js";

const own = /** @type {HTMLElement | null} */ (document.querySelector("ghc-eventlog-viewer[page]"));
if (PUBLISHED && own) void keepOffline(own);
