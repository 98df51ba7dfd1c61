import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePort } from '../src/free-port.ts';

test('a free port is outside the range of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => findFreePort()));
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(10_000);
    expect(port).toBeLessThan(30_000);
  }
});

test('a server can listen on the port that was found', async () => {
  const server = createServer();
  const port = await findFreePort();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  expect(server.address()).toMatchObject({ port });
  await new Promise((resolve) => server.close(resolve));
});
