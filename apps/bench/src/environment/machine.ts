import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';

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

/** Starts a measurement. The returned function returns the CPU time since then, by process. */
export function startCpuMeter(pids: Readonly<Record<string, number>>) {
  const before = Object.entries(pids).map(([name, pid]) => ({
    name,
    pid,
    at: readCpuSeconds(pid),
  }));
  return (messages: number): { name: string; micros: number }[] =>
    before.map(({ name, pid, at }) => ({
      name,
      micros: ((readCpuSeconds(pid) - at) * 1_000_000) / messages,
    }));
}

/** Returns the memory of a process in MB (millions of bytes): the resident memory, or its peak so far. */
export function readMemoryMb(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kib === undefined) throw new Error(`The memory of process ${pid} is unknown.`);
  return (Number(kib) * 1024) / 1_000_000;
}

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
