import {
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
  startApi,
} from '@switchboard/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { ask, expectRefusal } from './start-service.ts';

/** Every read of the test needs one of these tables. Authentication needs none of them. */
const TABLES = 'messages, conversations, contacts, message_counts, message_chunks, audit_entries';

test('a read that PostgreSQL ends at its timeout is answered with 503, the limit, and the parameters that shorten the read', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const workspace = await createWorkspaceFixture(database.url);
  const owner = openTestDatabase(database.url);
  onTestFinished(() => owner.close());
  // Through PgBouncer, the timeout is that of the database. The client gives up 7 s later, so a busy
  // machine does not make it the first.
  const { pathname } = new URL(database.url);
  await owner.pool.query(`ALTER DATABASE "${pathname.slice(1)}" SET statement_timeout = '5s'`);
  const api = await startApi({
    DATABASE_URL: `${database.url}?pgbouncer=true`,
    DIRECT_DATABASE_URL: database.url,
  });
  onTestFinished(() => api.stop());
  const locker = new pg.Client({ connectionString: database.url });
  await locker.connect();
  onTestFinished(() => locker.end());
  await locker.query(
    `SET statement_timeout = 0; BEGIN; LOCK TABLE ${TABLES} IN ACCESS EXCLUSIVE MODE`,
  );

  const path = `/api/ui/workspaces/${workspace.workspaceId}`;
  const reads: [path: string, token: string, advice: RegExp][] = [
    [
      '/api/messages?direction=inbound',
      workspace.apiKey,
      /`startDate` to `endDate`, or add a filter$/,
    ],
    ['/api/messages/search?search=brake', workspace.apiKey, /search for more words or digits$/],
    [`${path}/stats`, workspace.sessionToken, /shorten the period from `from` to `to`$/],
    [`${path}/conversations`, workspace.sessionToken, /one of the filters `state`, `assignee`/],
    ['/api/contacts', workspace.apiKey, /filter by `tag` or `numbers`/],
    [`${path}/audit`, workspace.sessionToken, /10 s$/],
  ];
  await Promise.all(
    reads.map(async ([url, token, advice]) => {
      const response = await ask(api.url, url, { token });
      expectRefusal(
        response,
        503,
        'service_unavailable',
        /^The read took longer than the limit of 10 s/,
      );
      expect(response.json?.['detail']).toMatch(advice);
      expect(response.headers.get('retry-after')).toBe('10');
    }),
  );
  // A write to the same tables keeps its response.
  expectRefusal(
    await ask(api.url, '/api/messages', {
      token: workspace.apiKey,
      json: { to: '+15558670001', body: 'blocked' },
    }),
    503,
    'service_unavailable',
    /^The database is not available; nothing was stored$/,
  );
});
