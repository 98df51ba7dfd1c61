import { request } from 'node:http';
import { expect, test } from 'vitest';
import { readLedger, startSimulator } from './start-simulator.ts';

interface Sent {
  method?: string;
  headers: Record<string, string>;
  body?: string;
}

/** Uses node:http, because `fetch` sets `Host` and `Origin` itself. */
function send(url: string, { method = 'GET', headers, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, headers: { connection: 'close', ...headers } },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

test('forms and requests from pages of another origin are refused by the simulator', async () => {
  const { url, client } = await startSimulator();
  await client.messages.create({ to: '+15558675310', from: '+15005550006', body: 'Keep me' });
  const foreign = { origin: 'https://evil.example' };
  for (const path of ['behaviour', 'ledger', 'inbound']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const status = await send(`${url}/simulator/${path}`, {
        method,
        headers: { ...foreign, ...json, 'content-length': '2' },
        body: '{}',
      });
      expect([method, path, status]).toEqual([method, path, 403]);
    }
  }
  expect(await send(`${url}/simulator/inbound`, { headers: { origin: 'null' } })).toBe(403);
  // Older browsers send no Origin header with forms.
  for (const headers of [form, { 'content-type': 'text/plain' }]) {
    const post = { method: 'POST', headers, body: 'to=%2B15005550006' };
    expect(await send(`${url}/simulator/inbound`, post)).toBe(400);
  }
  expect(await readLedger(url)).toHaveLength(1);
});

test('the control routes accept only local host names', async () => {
  const { url } = await startSimulator();
  const statusFor = (host: string, path = 'simulator') =>
    send(`${url}/${path}/behaviour`, { headers: { ...json, host } });
  const { port } = new URL(url);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
    expect([host, await statusFor(host)]).toEqual([host, 200]);
  }
  for (const host of ['evil.example', `evil.example:${port}`, `localhost.evil.example:${port}`]) {
    expect([host, await statusFor(host)]).toEqual([host, 403]);
    expect([host, await statusFor(host, '%73imulator')]).toEqual([host, 403]);
  }
});

test('the control routes accept requests of the same origin and without an Origin header', async () => {
  const { url } = await startSimulator();
  for (const headers of [json, { ...json, origin: url }]) {
    const put = { method: 'PUT', headers, body: '{"latency_ms":0}' };
    expect(await send(`${url}/simulator/behaviour`, put)).toBe(200);
  }
});
