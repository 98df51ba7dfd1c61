import { savedReply, savedReplyList } from '@switchboard/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, expectRefusal, shareService } from './start-service.ts';
import { clientOf } from './workspace-client.ts';

let service: Service;

beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service.close());

test('members share saved replies, which have unique names and are found by their words', async () => {
  const workspace = await service.addWorkspace();
  const client = clientOf(service, workspace, workspace.sessionToken);
  const add = (name: string, body: string) => client('/saved-replies', { json: { name, body } });
  const list = async (query = '') => {
    const response = await client(`/saved-replies${query}`);
    return savedReplyList
      .strict()
      .parse(response.json)
      .data.map(({ name }) => name);
  };
  const hours = savedReply.strict().parse((await add('Opening hours', 'We open at nine.')).json);
  await add('Address', 'Elm Street 5, open all week');
  expectRefusal(await add('Opening hours', 'Again'), 400, 'already_exists');
  expectRefusal(await add('Empty', '  '), 400, 'invalid_params');
  expect(await list()).toEqual(['Address', 'Opening hours']);
  expect(await list('?search=OPEN%20hours')).toEqual(['Opening hours']);

  const path = `/saved-replies/${hours.id}`;
  const changed = await client(path, { method: 'PATCH', json: { body: 'We open at ten.' } });
  expect(changed.json).toMatchObject({ name: 'Opening hours', body: 'We open at ten.' });
  const taken = await client(path, { method: 'PATCH', json: { name: 'Address' } });
  expectRefusal(taken, 400, 'already_exists');
  expect((await client(path, { method: 'DELETE' })).json).toEqual({ ok: true });
  expectRefusal(await client(path, { method: 'DELETE' }), 404, 'not_found');
});
