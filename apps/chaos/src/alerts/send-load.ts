import { setTimeout as pause } from 'node:timers/promises';
import type { WorkspaceFixture } from '@switchboard/testing';
import type { Http } from '../http.ts';

export interface LoadOptions {
  http: Http;
  /** In turn. */
  apiUrls: readonly string[];
  workspace: WorkspaceFixture;
  perSecond: number;
  /** Reads the history instead of sending. */
  reads?: boolean;
}

const TIMEOUT_MS = 20_000;

/** Goes on at its pace whatever is answered, and whether anything is; returns what stops it. */
export function startLoad(options: LoadOptions): () => Promise<void> {
  const { http, apiUrls, workspace } = options;
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  function askOnce(number: number): void {
    const url = `${apiUrls[number % apiUrls.length]}/api/messages`;
    const authorization = `Bearer ${workspace.apiKey}`;
    const asked = http
      .ask(
        url,
        options.reads === true
          ? { headers: { authorization }, timeoutMs: TIMEOUT_MS }
          : {
              method: 'POST',
              headers: { authorization, 'content-type': 'application/json' },
              body: JSON.stringify({
                to: `+1555${String(number % 10_000_000).padStart(7, '0')}`,
                body: `Message ${number}`,
              }),
              timeoutMs: TIMEOUT_MS,
            },
      )
      .catch(() => undefined) // the fault under way; what comes of it is what Prometheus sees
      .finally(() => underWay.delete(asked));
    underWay.add(asked);
  }

  async function run(): Promise<void> {
    // By chance, so that no two loads speak of the same recipient.
    let number = Math.floor(Math.random() * 9_000_000);
    while (!stopping.signal.aborted) {
      askOnce(number);
      number += 1;
      await pause(1_000 / options.perSecond, undefined, { signal: stopping.signal }).catch(
        () => undefined, // told to stop
      );
    }
  }
  const running = run();

  return async () => {
    stopping.abort();
    await running;
    await Promise.all(underWay);
  };
}
