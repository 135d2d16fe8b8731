// Blocks of rows that stay together on paper.

/**
 * If all rows are at most this high, in CSS pixels, they are one block; otherwise this is the most for a block. Two blocks fit on a page.
 */
const TOGETHER = 560;
const BLOCK = 280;

/**
 * @template {{ kind: string, y: number, height: number }} R
 * @param {R[]} rows
 * @returns {R[][]}
 */
export function blocksOf(rows) {
    const [last] = rows.slice(-1);
    if (!last) return [];
    if (last.y + last.height - rows[0].y <= TOGETHER) return [rows];
    /** @type {R[][]} */
    const blocks = [[]];
    rows.forEach((row, at) => {
        const [block] = blocks.slice(-1);
        // A heading stays with the first of its tracks.
        const end = row.kind === "heading" && rows[at + 1] ? rows[at + 1] : row;
        if (block.length > 0 && end.y + end.height - block[0].y > BLOCK) blocks.push([row]);
        else block.push(row);
    });
    return blocks;
}
