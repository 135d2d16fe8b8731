// A process's memory, from /proc: Linux only.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const MIB = 1024;

/**
 * @param {number} process
 * @param {"VmRSS" | "VmHWM"} field
 * @returns {number} MiB; 0 if the process is gone
 */
function field(process, field) {
    try {
        const status = readFileSync(`/proc/${process}/status`, "utf8");
        return Number(status.match(new RegExp(`^${field}:\\s+(\\d+)`, "m"))?.[1] ?? 0) / MIB;
    } catch {
        return 0;
    }
}

/** The memory that a process holds now. */
export const held = (process) => field(process, "VmRSS");

/** The most memory that it has held since `forgetPeak`. */
export const peak = (process) => field(process, "VmHWM");

/** Makes `peak` count from now on. */
export function forgetPeak(process) {
    writeFileSync(`/proc/${process}/clear_refs`, "5");
}

/**
 * The child processes of a process that run pages: Chromium's renderers, Firefox's content processes.
 * @param {number} root
 * @returns {number[]}
 */
export function pageProcesses(root) {
    const parents = new Map();
    for (const name of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
        try {
            const stat = readFileSync(`/proc/${name}/stat`, "utf8");
            parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
        } catch {
            // The process has just ended.
        }
    }
    const isBelow = (process) => process === root || (parents.has(process) && process > 1 && isBelow(parents.get(process)));
    return [...parents.keys()].filter((process) => process !== root && isBelow(process) && runsPages(process));
}

function runsPages(process) {
    try {
        const command = readFileSync(`/proc/${process}/cmdline`, "utf8");
        return command.includes("--type=renderer") || /-contentproc.*\btab\b/s.test(command);
    } catch {
        return false;
    }
}
