import { findFreePort } from '@switchboard/embedded-postgres';
import { OPERATOR_CONNECTIONS } from '@switchboard/runtime';
import { EVENTUALLY, openIdleConnections } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from './start-service.ts';

const LOGIN = { user: 'operator', password: 'a long password of theirs' };
const headers = {
  authorization: `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`,
};

let service: Service;
let opsUrl: string;

beforeAll(async () => {
  const opsPort = String(await findFreePort());
  opsUrl = `http://127.0.0.1:${opsPort}`;
  service = await startService({
    env: { OPS_PORT: opsPort, QUEUE_UI_USER: LOGIN.user, QUEUE_UI_PASSWORD: LOGIN.password },
  });
});
afterAll(() => service?.close());

test('operators’ routes are served only on OPS_PORT, not on the public port', async () => {
  const metrics = await fetch(`${opsUrl}/metrics`);
  expect([metrics.status, await metrics.text()]).toEqual([
    200,
    expect.stringContaining('switchboard_http_request_seconds'),
  ]);
  const queue = await fetch(`${opsUrl}/ops/queue`, { headers });
  expect([queue.status, await queue.text()]).toEqual([200, expect.stringContaining('Queue')]);
  const encoded = await fetch(`${service.url}/%6detrics`);
  expect(await encoded.text()).not.toContain('# HELP');
  for (const path of ['/metrics', '/ops/queue']) {
    const response = await fetch(service.url + path, { headers });
    expect([path, response.status, await response.json()]).toEqual([
      path,
      404,
      { error: 'not_found', detail: 'No such route' },
    ]);
  }
});

test('the queue page on OPS_PORT requires the operators’ login', async () => {
  const response = await fetch(`${opsUrl}/ops/queue`);
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringMatching(/^Basic /),
  ]);
});

test('health is served on both ports, and OPS_PORT serves no route of the public API', async () => {
  for (const url of [service.url, opsUrl]) {
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  }
  for (const path of ['/', '/openapi.json', '/api/messages', '/api/ui/sessions']) {
    const response = await fetch(opsUrl + path);
    expect([path, response.status, await response.json()]).toEqual([
      path,
      404,
      { error: 'not_found', detail: 'No such route' },
    ]);
  }
});

test('idle connections to OPS_PORT beyond its limit are closed, and metrics are still served', async () => {
  const idle = await openIdleConnections(opsUrl, OPERATOR_CONNECTIONS + 50);
  const countClosed = () => idle.filter(({ destroyed }) => destroyed).length;
  const metrics = await fetch(`${opsUrl}/metrics`);
  expect([metrics.status, await metrics.text()]).toEqual([200, expect.stringContaining('# HELP')]);
  await expect.poll(countClosed, EVENTUALLY).toBeGreaterThanOrEqual(50);
  // Not by the timeout of a request, which ends all of them.
  expect(countClosed()).toBeLessThan(60);
  for (const socket of idle) socket.destroy();
});
