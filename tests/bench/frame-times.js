// The main thread's work for each frame, from a trace of Chromium.

/**
 * Sums of the main thread's tasks from one frame to the next, in ms; without the time in which it only waits for the compositor.
 * @param {{ name: string, ph: string, pid: number, tid: number, ts: number, dur: number }[]} events times in µs
 */
export function frameTimes(events) {
    const thread = mostFrequent(events.filter(isCallback).map(({ pid, tid }) => `${pid}.${tid}`));
    const ours = events.filter(({ pid, tid, ph }) => ph === "X" && `${pid}.${tid}` === thread).sort((a, b) => a.ts - b.ts);
    const tasks = ours.filter(({ name }) => name === "ThreadControllerImpl::RunTask");
    const taskAt = (ts) => tasks.findLastIndex((task) => task.ts <= ts && ts < task.ts + task.dur);
    // A frame is one task, however many callbacks it calls: the page's, and the benchmark's.
    const begins = new Set(ours.filter(isCallback).map(({ ts }) => taskAt(ts)));
    const waits = new Map();
    for (const { ts, dur } of ours.filter(({ name }) => name === "Commit")) waits.set(taskAt(ts), (waits.get(taskAt(ts)) ?? 0) + dur);
    const sums = [];
    tasks.forEach(({ dur }, at) => {
        if (begins.has(at)) sums.push(0);
        if (sums.length > 0) sums[sums.length - 1] += (dur - (waits.get(at) ?? 0)) / 1000;
    });
    return sums;
}

const isCallback = ({ name, ph }) => name === "FireAnimationFrame" && ph === "X";

function mostFrequent(values) {
    const counts = new Map();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
