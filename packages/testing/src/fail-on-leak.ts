import { setTimeout as delay } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { EVENTUALLY } from './eventually.ts';
import { runningChildren } from './processes/start-child.ts';
import { countStartedOnce } from './processes/start-once.ts';

// Runs in every test file before the file registers its own hooks, so that this `afterAll` runs
// last.

/** Kinds of resources that keep a process alive. Vitest itself holds none of them for long. */
const WATCHED = ['ProcessWrap', 'TCPServerWrap', 'TCPSocketWrap'];
const before = countWatched();

afterAll(async () => {
  const forgotten = [...runningChildren];
  for (const child of forgotten) await child.kill();

  // A closed socket is released after a short time, which is longer on a busy machine.
  const deadline = performance.now() + EVENTUALLY.timeout;
  let leaks = findLeaks();
  while (leaks.length > 0 && performance.now() < deadline) {
    await delay(20);
    leaks = findLeaks();
  }

  leaks.push(...forgotten.map((child) => `the process ${child.name}`));
  if (leaks.length > 0) {
    throw new Error(`This test file did not close: ${leaks.join(', ')}.`);
  }
});

function countWatched(): Map<string, number> {
  const counts = new Map(WATCHED.map((kind) => [kind, 0]));
  // They stay for the next file.
  counts.set('ProcessWrap', -countStartedOnce());
  for (const kind of process.getActiveResourcesInfo()) {
    const count = counts.get(kind);
    if (count !== undefined) counts.set(kind, count + 1);
  }
  return counts;
}

function findLeaks(): string[] {
  const leaks: string[] = [];
  for (const [kind, count] of countWatched()) {
    const more = count - (before.get(kind) ?? 0);
    if (more > 0) leaks.push(`${more} ${kind}`);
  }
  return leaks;
}
