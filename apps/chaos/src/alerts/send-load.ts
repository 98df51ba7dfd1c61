import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceFixture } from '@switchboard/testing';
import type { Http } from '../http.ts';

export interface LoadOptions {
  http: Http;
  /** Used in turn. */
  apiUrls: readonly string[];
  workspace: WorkspaceFixture;
  perSecond: number;
  /** Reads the history instead of sending. */
  reads?: boolean;
}

const TIMEOUT_MS = 20_000;

/** Sends at a constant rate and ignores the responses. Returns a function that stops the load. */
export function startLoad(options: LoadOptions): () => Promise<void> {
  const { http, apiUrls, workspace } = options;
  const stopping = new AbortController();
  const inFlight = new Set<Promise<unknown>>();

  function sendOne(number: number): void {
    const url = `${apiUrls[number % apiUrls.length]}/api/messages`;
    const authorization = `Bearer ${workspace.apiKey}`;
    const request = http
      .send(
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
      .catch(() => undefined) // Faults make requests fail. The alerts are checked in Prometheus.
      .finally(() => inFlight.delete(request));
    inFlight.add(request);
  }

  async function run(): Promise<void> {
    // A random start, so that two loads rarely use the same recipients.
    let number = Math.floor(Math.random() * 9_000_000);
    while (!stopping.signal.aborted) {
      sendOne(number);
      number += 1;
      await delay(1_000 / options.perSecond, undefined, { signal: stopping.signal }).catch(
        () => undefined, // aborted
      );
    }
  }
  const running = run();

  return async () => {
    stopping.abort();
    await running;
    await Promise.all(inFlight);
  };
}
