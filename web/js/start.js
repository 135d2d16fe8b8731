// The page's style until the viewer has started, and if it cannot start: then says why, and what to do. A classic script: browsers load it
// even when they refuse modules, and that is when it is needed.

(() => {
    const { protocol, href } = location;

    /** @returns {(string | [string, string])[]} texts, or pairs of an element's name and its text */
    function reason() {
        if (protocol === "file:") {
            return [
                "This page was opened from a file, and browsers do not run such pages in full. Serve its folder instead, for instance with",
                ["code", "python3 -m http.server"],
                "run in that folder, and open",
                ["code", "http://localhost:8000/"],
            ];
        }
        if (self.origin === "null") {
            return [
                "This page is in a sandboxed frame, where browsers do not let it run. Open it in a tab of its own:",
                ["code", href],
                'or allow it in the frame (sandbox="allow-scripts allow-same-origin").',
            ];
        }
        return [
            "This page could not start: some of its files could not be loaded, or this browser is too old (it must be from 2023 or newer).",
            "Reload it; if that does not help, try another browser.",
        ];
    }

    function tell() {
        const { dataset } = document.documentElement;
        const viewer = document.querySelector("ghc-eventlog-viewer");
        if (!viewer || dataset.started !== undefined) return;
        const box = Object.assign(document.createElement("p"), { id: "error", className: "unstarted", role: "alert" });
        viewer.append(box);
        for (const part of reason()) {
            if (typeof part === "string") box.append(`${part} `);
            else box.append(Object.assign(document.createElement(part[0]), { textContent: part[1] }));
        }
        dataset.state = "error";
    }

    // By then, modules have run or failed.
    addEventListener("load", tell);

    // With the script it is one request fewer, and the strictest policy for content lets a script set a style.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(PAGE_STYLE);
    document.adoptedStyleSheets = [sheet];
})();
