import type { Page } from 'playwright-core';
import type { BadNetwork } from './start-bad-network.ts';
import { type Shown, numbersOf, readShown } from './shown-thread.ts';

/** How long the page may be wrong about its connection. */
const WRONG_FOR_MS = 60_000;
/** A machine that is busy reads the page late. */
const ROOM_MS = 3_000;
const EVERY_MS = 1_000;

export interface Watched {
  /** What was wrong, and when. */
  wrong: string[];
  reads: number;
  /** For how many of the reads the line said live. */
  live: number;
  /** For how long the line said live while no byte of the event stream arrived. */
  longestSilenceMs: number;
}

/**
 * Reads the page every second. At every moment, the thread shows no message twice and each kind in its order, and the state
 * line agrees with the network of the last minute: "live" needs bytes of the event stream, and a minute later every message of
 * a minute ago.
 *
 * @param arrivedAt returns when the API had received the inbound message with this number
 */
export function watchThread(
  page: Page,
  network: BadNetwork,
  arrivedAt: readonly number[],
): { stop(): Promise<Watched> } {
  const wrong: string[] = [];
  const began = Date.now();
  let reads = 0;
  let live = 0;
  let longestSilenceMs = 0;
  let calmSince: number | null = null;
  let notLiveSince: number | null = null;
  /** For how long the line has said live while a message of a minute ago is missing. */
  let behindMs = 0;
  let checkedAt = began;
  let isStopped = false;

  function check({ state, texts }: Shown, now: number): void {
    const report = (what: string): void =>
      void wrong.push(`${Math.round((now - began) / 1_000)} s: ${what}`);
    reads += 1;
    const sinceLastMs = now - checkedAt;
    checkedAt = now;
    for (const kind of ['Inbound', 'Reply'] as const) {
      const numbers = numbersOf(texts, kind);
      const at = numbers.findIndex((n, index) => index > 0 && n <= (numbers[index - 1] ?? 0));
      if (at > 0) report(`${kind} ${numbers[at]} is shown after ${numbers[at - 1]}`);
    }
    calmSince = network.weather() === 'calm' ? (calmSince ?? now) : null;
    notLiveSince = state === 'live' ? null : (notLiveSince ?? now);
    const limit = WRONG_FOR_MS + ROOM_MS;
    if (state !== 'live') {
      const wrongSince = Math.max(notLiveSince ?? now, calmSince ?? now);
      if (now - wrongSince > limit) report(`${state} for a minute on a network without a fault`);
      return;
    }
    live += 1;
    const silenceMs = now - network.deliveredAt();
    longestSilenceMs = Math.max(longestSilenceMs, silenceMs);
    if (silenceMs > limit) report(`live, but nothing was delivered for ${silenceMs} ms`);
    const shown = new Set(numbersOf(texts, 'Inbound'));
    const [first = 0] = shown;
    const missing = arrivedAt.findIndex(
      (at, n) => n >= first && at !== undefined && now - at > limit && !shown.has(n),
    );
    behindMs = missing < 0 ? 0 : behindMs + sinceLastMs;
    if (behindMs > limit) report(`live, but Inbound ${missing} is still not shown`);
  }

  async function watch(): Promise<void> {
    while (!isStopped) {
      const now = Date.now();
      check(await readShown(page), now);
      await page.waitForTimeout(EVERY_MS);
    }
  }
  const watching = watch();
  return {
    async stop() {
      isStopped = true;
      await watching;
      return { wrong, reads, live, longestSilenceMs };
    },
  };
}
