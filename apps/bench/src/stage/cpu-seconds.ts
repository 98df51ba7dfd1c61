import { readFileSync, readdirSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/**
 * Processor time that a process and its children have used, those that have ended included, as
 * Linux counts it: a busy machine hardly changes it.
 */
export function readCpuSeconds(pid: number): number {
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const fields = readStat(entry);
    if (fields === null || (entry !== String(pid) && fields[1] !== String(pid))) continue;
    for (const field of fields.slice(11, 15)) ticks += Number(field);
  }
  return ticks / TICKS_PER_SECOND;
}

/** From the third field of `proc(5)` on; null when the process has ended. */
function readStat(pid: string): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Its second field is the name in brackets, which may hold spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
