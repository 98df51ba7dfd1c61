import { expect, test } from 'vitest';
import { ask } from '../start-service.ts';
import { service, useService } from './environment.ts';
import { describeCredentials } from './credentials.suite.ts';
import { describeBodies } from './bodies.suite.ts';
import { describePaths } from './paths.suite.ts';
import { describeBrokenHttp } from './broken-http.suite.ts';

useService();

// The suites share one API process.
describeCredentials();
describeBodies();
describePaths();
describeBrokenHttp();

test('a valid x-request-id is kept, and an invalid one is replaced', async () => {
  const send = (id: string) => ask(service.url, '/api/nope', { headers: { 'x-request-id': id } });
  expect((await send('my-request.1')).headers.get('x-request-id')).toBe('my-request.1');
  for (const id of ['a b', 'a'.repeat(129), '<script>', '']) {
    expect((await send(id)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});
