import { setTimeout as delay } from 'node:timers/promises';
import { type Random, createRandom } from '@switchboard/testing/random';
import type { Harness } from '../start-harness.ts';
import { type Receiver, startReceiver } from './start-receiver.ts';

/** What happens to an endpoint in the middle of the run. */
export type EndpointFate = 'stays' | 'deleted' | 'gone';

export interface WatchedEndpoint {
  id: string;
  workspaceId: string;
  fate: EndpointFate;
  receiver: Receiver;
  /** When its deletion was answered, as `Date.now()`; null if it was not deleted. */
  deletedMs: number | null;
}

export interface Webhooks {
  endpoints: readonly WatchedEndpoint[];
  /** Ends the faults of the receivers that remain. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 5_000;
const RETRY_MS = 300;
const MAX_ATTEMPTS = 200;

/**
 * Adds endpoints to the workspaces, with receivers that fail. One endpoint of each workspace remains. In
 * the middle of the run, a second endpoint of the first workspace is deleted, and a third answers 410.
 */
export async function watchWebhooks(
  harness: Pick<Harness, 'apiUrls' | 'http' | 'workspaces'>,
  { seed, retireAfterMs }: { seed: number; retireAfterMs: number },
): Promise<Webhooks> {
  const endpoints: WatchedEndpoint[] = [];
  const abort = new AbortController();

  async function call(
    method: 'POST' | 'DELETE',
    path: string,
    apiKey: string,
    random: Random,
    body?: object,
  ) {
    for (let tries = 0; tries < MAX_ATTEMPTS && !abort.signal.aborted; tries += 1) {
      try {
        const response = await harness.http.send(random.pick(harness.apiUrls) + path, {
          method,
          token: apiKey,
          ...(body !== undefined && { body }),
          timeoutMs: TIMEOUT_MS,
        });
        // A repeated DELETE does not find the endpoint.
        if (response.status < 300 || response.status === 404) return response;
      } catch {
        // The API is killed or frozen, so the next attempt picks one at random again.
      }
      await delay(RETRY_MS);
    }
    throw new Error(`${method} ${path} was not answered`);
  }

  async function add(index: number, fate: EndpointFate): Promise<void> {
    const workspace = harness.workspaces[index];
    if (workspace === undefined) throw new Error(`there is no workspace ${index}`);
    const { workspaceId, apiKey } = workspace;
    const random = createRandom(seed, `webhooks ${index} ${fate}`);
    const receiver = await startReceiver(random);
    const added = await call('POST', '/api/webhook-endpoints', apiKey, random, {
      url: receiver.url,
    });
    const { id, secret } = JSON.parse(added.text) as { id: string; secret: string };
    receiver.setSecret(secret);
    endpoints.push({ id, workspaceId, fate, receiver, deletedMs: null });
  }

  for (const index of harness.workspaces.keys()) await add(index, 'stays');
  await add(0, 'deleted');
  await add(0, 'gone');

  async function retire(): Promise<void> {
    await delay(retireAfterMs, undefined, { signal: abort.signal });
    const { apiKey = '' } = harness.workspaces[0] ?? {};
    for (const endpoint of endpoints) {
      if (endpoint.fate === 'gone') endpoint.receiver.leave();
      if (endpoint.fate !== 'deleted') continue;
      const random = createRandom(seed, 'webhooks deletion');
      await call('DELETE', `/api/webhook-endpoints/${endpoint.id}`, apiKey, random);
      endpoint.deletedMs = Date.now();
    }
  }
  const retired = retire().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });

  return {
    endpoints,
    async heal() {
      await retired;
      for (const { fate, receiver } of endpoints) if (fate === 'stays') await receiver.heal();
    },
    async close() {
      abort.abort();
      await Promise.all(endpoints.map(({ receiver }) => receiver.close()));
    },
  };
}
