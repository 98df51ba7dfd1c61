import { request } from 'undici';
import { openBenchEnvironment } from '../environment/open-environment.ts';
import { runLoad } from '../load/run-load.ts';
import type { RunOptions } from '../scenario.ts';
import { median } from '../statistics.ts';

const CONNECTIONS = 64;
const WORKSPACES = 16;
const ENDPOINTS = 10;
/** In a process that has just started, V8 compiles hot functions for a few seconds. */
const WARM_UP_SECONDS = 5;

/**
 * Measures how many messages per second are accepted for workspaces with ten endpoints, relative to
 * workspaces without endpoints. No worker runs, because a delivery would take CPU time from the API on the
 * same machine, with or without a cost in the accept path.
 */
export async function compareAccepting(options: RunOptions): Promise<number> {
  const [rounds, seconds] = options.short ? [3, 3] : [7, 5];
  const environment = await openBenchEnvironment({ ...options, workspaces: 2 * WORKSPACES });
  try {
    const api = await environment.startApi();
    const apiKeys = environment.workspaces.map(({ apiKey }) => apiKey);
    const [without, withTen] = [apiKeys.slice(WORKSPACES), apiKeys.slice(0, WORKSPACES)];
    for (const apiKey of withTen) {
      for (let number = 0; number < ENDPOINTS; number += 1) await addEndpoint(api.url, apiKey);
    }
    const load = (keys: readonly string[], warmUpSeconds: number) =>
      runLoad({ url: api.url, apiKeys: keys, connections: CONNECTIONS, seconds, warmUpSeconds });
    await load(apiKeys, WARM_UP_SECONDS);
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      options.onProgress(`accepting, round ${round} of ${rounds}`);
      // The tables grow, so the order alternates between rounds.
      const order = round % 2 === 0 ? [without, withTen] : [withTen, without];
      const rates = new Map<readonly string[], number>();
      for (const keys of order) rates.set(keys, (await load(keys, 1)).acceptedPerSecond);
      ratios.push((rates.get(withTen) ?? 0) / (rates.get(without) ?? 0));
    }
    return median(ratios);
  } finally {
    await environment.close();
  }
}

async function addEndpoint(apiUrl: string, apiKey: string): Promise<void> {
  const answer = await request(`${apiUrl}/api/webhook-endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/webhooks' }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`The API responded with ${text}`);
}
