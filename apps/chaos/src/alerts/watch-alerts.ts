import { setTimeout as pause } from 'node:timers/promises';
import type { Prometheus } from './start-prometheus.ts';

/** What Prometheus says is firing, from the first look to the last. */
export interface AlertWatch {
  /** Resolves when the alert fires, or no longer does. Rejects after `limitMs`. */
  until(alert: string, state: 'firing' | 'quiet', limitMs: number): Promise<void>;
  /** All that fire at this moment. */
  firing(): readonly string[];
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 250;

export function watchAlerts(prometheus: Pick<Prometheus, 'listFiring'>): AlertWatch {
  let firing = new Set<string>();
  let stopped = false;
  let failure: Error | null = null;

  async function look(): Promise<void> {
    while (!stopped) {
      firing = await prometheus.listFiring();
      await pause(LOOK_EVERY_MS);
    }
  }
  const looking = look().catch((error: unknown) => {
    failure = new Error('Prometheus can’t be asked', { cause: error });
  });

  return {
    async until(alert, state, limitMs) {
      const deadline = performance.now() + limitMs;
      while (firing.has(alert) !== (state === 'firing')) {
        if (failure !== null) throw failure;
        if (performance.now() > deadline) {
          throw new Error(`${alert} is not ${state} after ${limitMs / 1_000} s`);
        }
        await pause(LOOK_EVERY_MS);
      }
    },
    firing: () => [...firing],
    async stop() {
      stopped = true;
      await looking;
    },
  };
}
