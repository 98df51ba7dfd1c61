// Loaded into the API before its program. Measures the longest CPU time that the main thread used between two turns
// of its event loop, and writes it to the standard output on SIGUSR2. CPU time, because a busy machine makes every
// turn long by the clock. Work on other threads, such as hashing and compression, does not hold the loop.
import { readFileSync } from 'node:fs';

const STAT_FILE = `/proc/self/task/${process.pid}/stat`;
/** Linux reports the CPU time of a thread in ticks of this length, rounded down. */
const TICK_MS = 10;

let last = sample();
let longestMs = 0;

// A timer runs once in each turn that is longer than its interval.
setInterval(measure, 1).unref();

process.on('SIGUSR2', () => {
  measure();
  process.stdout.write(`${JSON.stringify({ longestMs })}\n`);
  longestMs = 0;
});

function measure() {
  const next = sample();
  longestMs = Math.max(longestMs, usedMs(last, next));
  last = next;
}

/** Without a count for the thread alone, the smallest of several upper bounds. */
function usedMs(before, after) {
  if (after.threadMs !== null) return after.threadMs - before.threadMs;
  return Math.min(
    after.clockMs - before.clockMs,
    after.processMs - before.processMs,
    (after.ticks - before.ticks + 1) * TICK_MS,
  );
}

function sample() {
  const thread = process.threadCpuUsage?.();
  const { user, system } = process.cpuUsage();
  return {
    threadMs: thread === undefined ? null : (thread.user + thread.system) / 1000,
    clockMs: performance.now(),
    processMs: (user + system) / 1000,
    ticks: thread === undefined ? readTicks() : 0,
  };
}

function readTicks() {
  if (process.platform !== 'linux') return Number.POSITIVE_INFINITY;
  const stat = readFileSync(STAT_FILE, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
