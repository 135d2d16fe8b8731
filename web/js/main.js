// What the page loads: the viewer is an element, of this page or of any other that has one beside its own content.

import "./element.js";
