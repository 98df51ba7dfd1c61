import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in MB (millions of bytes). */
export function readResidentMb(pid: number): number {
  return readMb(pid, 'VmRSS');
}

/** Returns the highest resident memory of a process so far in MB (millions of bytes). */
export function readPeakResidentMb(pid: number): number {
  return readMb(pid, 'VmHWM');
}

function readMb(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kib === undefined) throw new Error(`The memory of process ${pid} is unknown.`);
  return (Number(kib) * 1024) / 1_000_000;
}
