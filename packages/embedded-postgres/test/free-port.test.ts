import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort, reservePort } from '../src/free-port.ts';

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

test('a port belongs to the process that found it until that process ends', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'reserve-port.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(output.toString());
  expect(await reservePort(port)).toBe(false);
  child.stdin.end();
  await once(child, 'exit');
  expect(await reservePort(port)).toBe(true);
  expect(await reservePort(port)).toBe(false);
});
