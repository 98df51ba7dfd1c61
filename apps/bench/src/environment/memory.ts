import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in MB (millions of bytes). */
export function readResidentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kib === undefined) throw new Error(`The memory of process ${pid} is unknown.`);
  return (Number(kib) * 1024) / 1_000_000;
}
