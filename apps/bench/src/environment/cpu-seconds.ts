import { readFileSync, readdirSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/**
 * Returns the CPU time of a process and its children, including ended children. Other load on the machine
 * hardly changes this time.
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

/** Returns the fields of `proc(5)` from the third one on, or null if the process has ended. */
function readStat(pid: string): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses, which may contain spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
