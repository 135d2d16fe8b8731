// Choosing a file, or dropping one anywhere on the page.

/**
 * @param {HTMLInputElement} input
 * @param {HTMLElement} cover is shown while a file is over the page
 * @param {(file: File) => void} open
 */
export function followFiles(input, cover, open) {
    input.addEventListener("change", () => {
        const file = input.files?.[0];
        // The same file can be chosen again, once it has changed.
        if (file) open(file);
        input.value = "";
    });
    // Entering a child comes before leaving its parent: counted, not switched.
    let inside = 0;
    document.addEventListener("dragenter", (event) => {
        inside += 1;
        cover.hidden = !event.dataTransfer?.types.includes("Files");
    });
    document.addEventListener("dragleave", () => {
        inside -= 1;
        if (inside <= 0) cover.hidden = true;
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
        event.preventDefault();
        inside = 0;
        cover.hidden = true;
        const file = event.dataTransfer?.files[0];
        if (file) open(file);
    });
}
