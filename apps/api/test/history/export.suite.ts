import { type IncomingMessage, get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { once } from 'node:events';
import { MESSAGE_COLUMNS } from '@switchboard/contracts';
import { describe, expect, test } from 'vitest';
import { ask, expectRefusal } from '../start-service.ts';
import { ACCOUNTS, type Row, rows, SENDERS, service, workspace } from './environment.ts';

/** Larger than two sockets and the streams between them can buffer. */
const BODY_CHARACTERS = 30_000;
const LARGE = 6_000;

export function describeExport(): void {
  const path = (query: string): string => `/api/messages/export.csv${query}`;
  const idsIn = (table: string): string[] =>
    table
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.slice(0, 36));

  async function open(token: string, query = ''): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${token}` };
    const request = get(service.url + path(query), { headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    return response;
  }

  // Keeps the byte order mark at the beginning, which `fetch` removes.
  const read = async (query: string, token = workspace.apiKey): Promise<string> =>
    (await buffer(await open(token, query))).toString();

  describe('export', () => {
    test('an export contains exactly the messages that match its filters, newest first, with the documented columns', async () => {
      const filters: [query: string, matches: (row: Row) => boolean][] = [
        ['', () => true],
        ['?status=failed,undelivered', ({ status }) => /failed|undelivered/.test(status)],
        [
          '?error_code=30003&direction=inbound',
          (row) => row.error_code === '30003' && row.direction === 'inbound',
        ],
        [
          '?from=%2B15551000001&to=%2B15550000002',
          (row) => row.from === '+15551000001' && row.to === '+15550000002',
        ],
        [
          `?sent_by=${SENDERS[2]}&provider=${ACCOUNTS[0]}`,
          (row) => row.sender_id === SENDERS[2] && row.account === 'one',
        ],
        ['?startDate=2030-01-01', () => false],
      ];
      for (const [query, matches] of filters) {
        const table = await read(query);
        expect(table.split('\r\n')[0]).toBe(`\uFEFF${MESSAGE_COLUMNS.join(',')}`);
        expect(idsIn(table)).toEqual(rows.filter(matches).map(({ id }) => id));
      }
      const wrong = await ask(service.url, path('?status=lost'), { token: workspace.apiKey });
      expectRefusal(wrong, 400, 'invalid_params', /^`status`/);
    });

    test('a cell of an export is quoted if necessary, and no spreadsheet executes it', async () => {
      const own = await service.addWorkspace();
      const token = own.apiKey;
      const body = '=1+1, "two"\nlines';
      const json = {
        to: '+15557650001',
        body,
        media_urls: ['https://example.com/a.jpg'],
        reference: '=1+1',
        metadata: { '=1+1': '@x' },
      };
      // The name at the time of the send is kept.
      await service.sql('UPDATE api_keys SET name = $1 WHERE id = $2', ['@key', own.apiKeyId]);
      const sent = await ask(service.url, '/api/messages', { token, json });
      const table = await read('', token);
      const cells = table.slice(table.indexOf('\r\n') + 2, -2).split(',');
      expect((await ask(service.url, path(''), { token })).status).toBe(200);
      const { json: stored } = await ask(
        service.url,
        `/api/messages/${String(sent.json?.['id'])}`,
        { token },
      );
      const created = String(stored?.['created_at']);
      expect(cells.join(',')).toBe(
        [
          `${String(sent.json?.['id'])},${created},outbound,queued,${own.from},+15557650001`,
          `"'=1+1, ""two""\nlines",https://example.com/a.jpg,1,,,api_key,${own.apiKeyId},'@key`,
          `,,,,${created},,'=1+1,"{""=1+1"":""@x""}",as_is`,
        ].join(','),
      );
    });

    test('an export reads its messages while the client reads the table', async () => {
      const own = await service.addWorkspace();
      await service.sql(
        `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
           created_at, updated_at, dispatch)
         SELECT uuid_v7(now() - n * interval '1 second'), $1, 'outbound', '+15550000001', '+15551000001',
           repeat('a', $2), 1, 'delivered', now(), now(), 'accepted'
         FROM generate_series(1, $3::int) n`,
        [own.workspaceId, BODY_CHARACTERS, LARGE],
      );
      const response = await open(own.apiKey);
      await once(response, 'readable');
      await service.sql(`UPDATE message_records SET body = 'changed' WHERE workspace_id = $1`, [
        own.workspaceId,
      ]);
      const lines = (await buffer(response)).toString().split('\r\n').slice(1, -1);
      expect(lines.length).toBe(LARGE);
      expect(new Set(lines.map((line) => line.slice(0, 36))).size).toBe(LARGE);
      expect(lines[0]).toContain('aaa');
      // The last pages were read after the change, so the whole table was never in memory.
      expect(lines.at(-1)).toContain(',changed,');
    });
  });
}
