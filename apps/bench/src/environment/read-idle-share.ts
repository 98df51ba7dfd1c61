import { cpus } from 'node:os';

/** Returns a function that returns the share of CPU time that has been idle since this call, from 0 to 1. */
export function startIdleShare(): () => number {
  const before = readTimes();
  return () => {
    const { idle, total } = readTimes();
    return (idle - before.idle) / (total - before.total);
  };
}

function readTimes(): { idle: number; total: number } {
  let [idle, total] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, total };
}
