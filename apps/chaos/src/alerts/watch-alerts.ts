import { setTimeout as delay } from 'node:timers/promises';
import type { Prometheus } from './start-prometheus.ts';

/** Polls the firing alerts of Prometheus until `stop`. */
export interface AlertWatch {
  /** Resolves when the alert is in this state. Rejects after `limitMs`. */
  until(alert: string, state: 'firing' | 'quiet', limitMs: number): Promise<void>;
  /** Returns the names of the alerts that are firing. */
  firing(): readonly string[];
  stop(): Promise<void>;
}

const POLL_MS = 250;

export function watchAlerts(prometheus: Pick<Prometheus, 'listFiring'>): AlertWatch {
  let firing = new Set<string>();
  let stopped = false;
  let failure: Error | null = null;

  async function poll(): Promise<void> {
    while (!stopped) {
      firing = await prometheus.listFiring();
      await delay(POLL_MS);
    }
  }
  const polling = poll().catch((error: unknown) => {
    failure = new Error('failed to query Prometheus', { cause: error });
  });

  return {
    async until(alert, state, limitMs) {
      const deadline = performance.now() + limitMs;
      while (firing.has(alert) !== (state === 'firing')) {
        if (failure !== null) throw failure;
        if (performance.now() > deadline) {
          throw new Error(`${alert} is not ${state} after ${limitMs / 1_000} s`);
        }
        await delay(POLL_MS);
      }
    },
    firing: () => [...firing],
    async stop() {
      stopped = true;
      await polling;
    },
  };
}
