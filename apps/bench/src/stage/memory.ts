import { readFileSync } from 'node:fs';

/** Resident memory of a process, in MB of a million bytes. */
export function readResidentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kib === undefined) throw new Error(`Process ${pid} tells no memory.`);
  return (Number(kib) * 1024) / 1_000_000;
}
