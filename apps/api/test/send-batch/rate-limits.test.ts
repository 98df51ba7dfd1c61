import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BACKENDS, type Service, ask, expectRefusal, startService } from '../start-service.ts';
import { PATH, listSends, outcomesOf, resultsOf } from './environment.ts';

const times = <Value>(count: number, value: Value): Value[] =>
  Array.from({ length: count }, () => value);

describe.each(BACKENDS)('rate limits of batches on %s', (backend) => {
  let service: Service;
  beforeAll(async () => {
    // Keys have the default limit.
    service = await startService({ backend, apis: 2, env: { RATE_LIMIT_WORKSPACE: '150' } });
  });
  afterAll(() => service.close());

  const post = (api: number, path: string, token: string, json: unknown, headers = {}) =>
    ask(service.apis[api]?.url ?? '', path, { token, json, headers });

  test('each send counts, those beyond the limit are refused by themselves, and a further batch as a whole', async () => {
    const { apiKey, workspaceId } = await service.addWorkspace();
    await post(0, '/api/messages', apiKey, listSends(1)[0]);
    const invalid = { to: 'nobody', body: 'x' };
    const batch = await post(1, PATH, apiKey, { messages: [invalid, ...listSends(128)] });
    expect(outcomesOf(batch)).toEqual([
      'invalid_params',
      ...times(98, 'stored'),
      ...times(30, 'rate_limited'),
    ]);
    expect(resultsOf(batch).at(-1)).toEqual({
      error: 'rate_limited',
      detail: 'More than 100 requests in 60 seconds',
    });
    expect(batch.headers.get('x-ratelimit-limit')).toBe('100');
    expect(batch.headers.get('x-ratelimit-remaining')).toBe('0');
    const next = await post(0, PATH, apiKey, { messages: listSends(2) });
    expectRefusal(next, 429, 'rate_limited');
    expect(next.headers.get('retry-after')).toBe(next.headers.get('x-ratelimit-reset'));
    const [row] = await service.sql(
      'SELECT count(*)::int AS n FROM messages WHERE workspace_id = $1',
      [workspaceId],
    );
    expect(row).toEqual({ n: 99 });
  });

  test('the sends of a session count in the limit of its workspace', async () => {
    const { sessionToken, workspaceId } = await service.addWorkspace();
    const path = `/api/ui/workspaces/${workspaceId}/messages/batch`;
    const batch = await post(0, path, sessionToken, { messages: listSends(200) });
    expect(outcomesOf(batch)).toEqual([...times(150, 'stored'), ...times(50, 'rate_limited')]);
    expect(resultsOf(batch).at(-1)).toMatchObject({
      detail: 'More than 150 requests from the whole workspace in 60 seconds',
    });
  });

  test('a replayed batch gets its first response, limits included, and counts as one request', async () => {
    const { apiKey } = await service.addWorkspace();
    const headers = { 'idempotency-key': 'once' };
    const json = { messages: listSends(90) };
    const first = await post(0, PATH, apiKey, json, headers);
    expect(outcomesOf(first)).toEqual(times(90, 'stored'));
    const again = await post(1, PATH, apiKey, json, headers);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('x-ratelimit-remaining')).toBe('9');
  });
});
