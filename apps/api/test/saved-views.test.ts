import { savedView, savedViewList } from '@switchboard/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, expectRefusal, shareService } from './start-service.ts';
import { addPerson, clientOf } from './workspace-client.ts';

let service: Service;

beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service.close());

test('members share saved views, which have different names and only filters that the history accepts', async () => {
  const workspace = await service.addWorkspace();
  const client = clientOf(service, workspace, workspace.sessionToken);
  const colleague = await addPerson(service, workspace, 'member');
  const add = (name: string, filters: object) =>
    client('/saved-views', { json: { name, filters } });
  const list = async () => {
    const response = await colleague.client('/saved-views');
    return savedViewList
      .strict()
      .parse(response.json)
      .data.map(({ name, filters }) => [name, filters]);
  };

  const filters = { status: 'failed,undelivered', startDate: '2026-11-20' };
  const failed = savedView
    .strict()
    .parse((await add('Failed', { ...filters, page: '3', other: 'x' })).json);
  expect(failed.filters).toEqual(filters);
  await add('By Ada', { sent_by: workspace.userId });
  expectRefusal(await add('Failed', filters), 400, 'already_exists');
  for (const [wrong, detail] of [
    [{ status: 'lost' }, /^`filters.status` must/],
    [{ status: 5 }, /^`filters.status` must be a string/],
    [{ startDate: 'soon' }, /^`filters.startDate` must/],
    [{}, /^`filters` must have at least one filter/],
  ] as const) {
    expectRefusal(await add('Wrong', wrong), 400, 'invalid_params', detail);
  }
  expect(await list()).toEqual([
    ['By Ada', { sent_by: workspace.userId }],
    ['Failed', filters],
  ]);

  const path = `/saved-views/${failed.id}`;
  const renamed = await colleague.client(path, {
    method: 'PATCH',
    json: { name: 'Not delivered' },
  });
  expect(renamed.json).toMatchObject({ name: 'Not delivered', filters });
  const replaced = await client(path, {
    method: 'PATCH',
    json: { filters: { to: '+15550000001' } },
  });
  expect(replaced.json).toMatchObject({ name: 'Not delivered', filters: { to: '+15550000001' } });
  const taken = await client(path, { method: 'PATCH', json: { name: 'By Ada' } });
  expectRefusal(taken, 400, 'already_exists');
  expect((await client(path, { method: 'DELETE' })).json).toEqual({ ok: true });
  expectRefusal(await client(path, { method: 'DELETE' }), 404, 'not_found');
});
