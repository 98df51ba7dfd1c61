import { statfs } from 'node:fs/promises';
import type { Finding } from './finding.ts';

const part = 'disk';
const GIB = 2 ** 30;
const LOW_BYTES = 5 * GIB;
const LOW_SHARE = 0.1;

/** Checks the disk of this machine. If the database is on another machine, its disk is not checked. */
export async function checkDisk(): Promise<Finding[]> {
  const { bavail, blocks, bsize } = await statfs(process.cwd());
  return [judgeDisk({ freeBytes: bavail * bsize, totalBytes: blocks * bsize })];
}

/** Warns only if both the free bytes and their share are low, because 8 GiB of a large disk are enough. */
export function judgeDisk(disk: { freeBytes: number; totalBytes: number }): Finding {
  const { freeBytes, totalBytes } = disk;
  const free = `${(freeBytes / GIB).toFixed(1)} of ${(totalBytes / GIB).toFixed(1)} GiB are free on this machine`;
  if (freeBytes >= LOW_BYTES || freeBytes >= LOW_SHARE * totalBytes) {
    return { result: 'good', part, detail: `${free}.` };
  }
  return {
    result: 'warning',
    part,
    detail: `${free}: free up space before the disk is full.`,
  };
}
