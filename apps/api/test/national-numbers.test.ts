import { randomBytes } from 'node:crypto';
import { EVENTUALLY, type WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { callBack } from './call-back.ts';
import { type Service, ask, shareService } from './start-service.ts';
import { type WorkspaceClient, clientOf } from './workspace-client.ts';

let service: Service;
let workspace: WorkspaceFixture;
let owner: WorkspaceClient;

beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service.close());
beforeEach(async () => {
  workspace = await service.addWorkspace({ from: null });
  owner = clientOf(service, workspace, workspace.sessionToken);
});

const patch = async (path: string, json: object) => {
  const changed = await owner(path, { method: 'PATCH', json });
  expect(changed.status, changed.text).toBe(200);
};

interface Account {
  id: string;
  status_detail: string | null;
}

async function findAccount(): Promise<Account> {
  const response = await owner('/providers');
  expect(response.status, response.text).toBe(200);
  const accounts = response.json?.['data'] as Account[] | undefined;
  const account = accounts?.[0];
  if (account === undefined) throw new Error('the workspace has no account');
  return account;
}

/** Receives a message, and returns its numbers as they are stored. */
async function receive(From: string, To: string, Body = 'Hello') {
  const MessageSid = `SM${randomBytes(16).toString('hex')}`;
  const response = await callBack(
    service.url,
    workspace,
    { MessageSid, From, To, Body, NumMedia: '0' },
    { kind: 'inbound' },
  );
  expect(response.status, response.text).toBe(200);
  const listed = await ask(service.url, '/api/messages?direction=inbound', {
    token: workspace.apiKey,
  });
  expect(listed.status, listed.text).toBe(200);
  const messages = listed.json?.['messages'] as { from: string; to: string }[] | undefined;
  return messages?.[0];
}

test.each([
  ['the account', 'DE', 'US', '4155558596', '+14155558596'],
  ['the workspace', 'DE', null, '0151 23456704', '+4915123456704'],
  ['the account', null, 'MX', '0445512345678', '+525512345678'],
  ['the account', 'US', 'FR', '0612345678', '+33612345678'],
])(
  'a national number is read with the country of %s: workspace %j, account %j, %j is %s',
  async (_whose, ofWorkspace, ofAccount, from, right) => {
    await patch('', { country: ofWorkspace });
    await patch(`/providers/${(await findAccount()).id}`, { country: ofAccount });
    // A short code says nothing about the country.
    expect(await receive(from, '12345')).toMatchObject({ from: right, to: '12345' });
    const stopped = await receive(from, '12345', 'STOP');
    expect(stopped).toMatchObject({ from: right });
    const optOuts = await owner('/opt-outs');
    expect(optOuts.status, optOuts.text).toBe(200);
    expect(optOuts.json?.['data']).toMatchObject([{ number: right }]);
    expect((await findAccount()).status_detail).toBeNull();
  },
);

test('without a country, a national number is read with that of the number to which it writes, or else of a number of the account', async () => {
  expect(await receive('07911 123456', '+447911123457')).toMatchObject({ from: '+447911123456' });
  const added = await owner('/numbers', { json: { number: '+33612345679' } });
  expect(added.status, added.text).toBe(201);
  expect(await receive('06 12 34 56 78', '38080')).toMatchObject({ from: '+33612345678' });
  expect((await findAccount()).status_detail).toBeNull();
});

test('a number that cannot be read is stored unchanged, and the account says so until its country is set', async () => {
  for (const from of ['0612345678', '0612345678']) {
    expect(await receive(from, '38080')).toMatchObject({ from, to: '38080' });
  }
  await receive('AMAZON', '38080');
  await receive('72345', '38080');
  const { id } = await findAccount();
  await vi.waitFor(async () => {
    expect((await findAccount()).status_detail).toMatch(
      /^2 received messages since \S+ with a number that cannot be read, for example “0612345678”\. .*country of the account\.$/,
    );
  }, EVENTUALLY);
  await patch(`/providers/${id}`, { country: 'FR' });
  expect(await receive('0612345678', '38080')).toMatchObject({ from: '+33612345678' });
});
