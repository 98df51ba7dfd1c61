import type { Page } from 'playwright-core';

/** Event Timing does not report events that take less time until the next paint. */
const UNREPORTED_MS = 16;

interface Recording {
  /** When each key or pointer was pressed, in milliseconds since the page was loaded. */
  pressedAt: number[];
  /** The events that Event Timing reported. The events of one press share an ID. */
  events: { id: number; at: number; ms: number }[];
}

export interface InteractionMeter {
  /** Acts like a user. Each press of a key or the pointer counts as an interaction of this kind. */
  perform(kind: string, act: () => Promise<void>): Promise<void>;
  /**
   * Returns the time from each press until its result was painted, in milliseconds and in ascending
   * order, for each kind. Times of less than 16 ms count as 16 ms.
   */
  read(): Promise<Map<string, number[]>>;
}

/** Records the interactions of a page until it is loaded again. */
export async function createInteractionMeter(page: Page): Promise<InteractionMeter> {
  const begun: { kind: string; at: number }[] = [];
  await page.evaluate(`
    window.recording = { pressedAt: [], events: [] };
    for (const type of ['pointerdown', 'keydown']) {
      window.addEventListener(
        type,
        ({ timeStamp }) => window.recording.pressedAt.push(timeStamp),
        { capture: true },
      );
    }
    new PerformanceObserver((list) => {
      for (const { interactionId: id, startTime: at, duration: ms } of list.getEntries()) {
        if (id > 0) window.recording.events.push({ id, at, ms });
      }
    }).observe({ type: 'event', durationThreshold: ${UNREPORTED_MS} });
  `);
  const kindAt = (at: number): string => begun.findLast((each) => each.at <= at)?.kind ?? 'other';

  return {
    async perform(kind, act) {
      begun.push({ kind, at: await page.evaluate<number>('performance.now()') });
      await act();
    },
    async read() {
      const { pressedAt, events } = await page.evaluate<Recording>('window.recording');
      const reported = new Map<number, { at: number; ms: number }>();
      for (const { id, at, ms } of events) {
        const known = reported.get(id) ?? { at, ms };
        reported.set(id, { at: Math.min(known.at, at), ms: Math.max(known.ms, ms) });
      }
      const kinds = new Set(pressedAt.map(kindAt));
      const times = new Map<string, number[]>();
      for (const kind of kinds) {
        const presses = pressedAt.filter((at) => kindAt(at) === kind).length;
        const slow = [...reported.values()].filter(({ at }) => kindAt(at) === kind);
        const fast = Array<number>(Math.max(0, presses - slow.length)).fill(UNREPORTED_MS);
        times.set(
          kind,
          [...fast, ...slow.map(({ ms }) => ms)].sort((a, b) => a - b),
        );
      }
      return times;
    },
  };
}

/** Returns a line with the number of interactions of a kind, and how long they took. */
export function describeTimes(kind: string, ascending: readonly number[]): string {
  const at = (share: number) => ascending[Math.ceil(ascending.length * share) - 1];
  return `${kind}: ${ascending.length}, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${ascending.at(-1)} ms`;
}
