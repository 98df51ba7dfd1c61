import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { describeCredentials } from '../adapter-contract/credentials.ts';
import { createAdapter, CREDENTIALS, openSmpp } from './open-smpp.ts';
import { startSmsc } from './start-smsc.ts';
import { readCredentials } from '../read-credentials.ts';

const VALID = {
  ...CREDENTIALS,
  system_type: 'VMA',
  bind: 'transmitter_receiver',
  window: 50,
  max_binds: 3,
  long_messages: 'payload',
  message_ids: 'hex_in_response',
  throttle_codes: '0x0403, 0x0404',
  source_ton: 5,
  source_npi: 0,
  destination_ton: 1,
  destination_npi: 1,
};

describeCredentials({
  name: 'smpp',
  createAdapter: () => createAdapter(),
  vendor: {
    credentials: {
      valid: VALID,
      secret: ['password'],
      required: ['host', 'port', 'tls', 'system_id', 'password'],
    },
  },
});

test.each([
  ['host', 'with space'],
  ['host', 'http://smsc.example'],
  ['port', 0],
  ['port', 65_536],
  ['port', 2775.5],
  ['port', '2775'],
  ['tls', 'true'],
  ['system_id', 'a system ID that is too long'],
  ['password', 'x'.repeat(33)],
  ['password', 'pässword'],
  ['system_type', 'a long system type'],
  ['bind', 'receiver'],
  ['window', 0],
  ['window', 501],
  ['max_binds', 11],
  ['long_messages', 'sar'],
  ['message_ids', 'octal'],
  ['throttle_codes', 'later'],
  ['throttle_codes', '0x0'],
  ['throttle_codes', '0x1ffffffff'],
  ['throttle_codes', Array.from({ length: 21 }, (_, code) => code + 1_025).join()],
  ['source_ton', 7],
  ['destination_npi', 19],
])('`%s` must not be %j', (name, value) => {
  expect(() => readCredentials(createAdapter(), { ...VALID, [name]: value })).toThrow(
    expect.objectContaining({
      code: 'invalid_params',
      message: expect.stringContaining(`\`${name}\` must`),
    }),
  );
});

test('omitted settings have their defaults', () => {
  const adapter = createAdapter();
  const { account } = readCredentials(adapter, { ...CREDENTIALS, host: 'SMSC.example' });
  expect(account.vendorAccountId).toBe('switchboard@smsc.example:2775');
  expect(adapter.sessions?.maxSessions(account)).toBe(1);
  expect(adapter.describeCredentials(account)).toEqual({
    host: 'smsc.example',
    port: 2775,
    tls: false,
    system_id: 'switchboard',
    password_last4: 'ters',
    system_type: null,
    bind: 'transceiver',
    window: 10,
    max_binds: 1,
    long_messages: 'udh',
    message_ids: 'same',
    throttle_codes: null,
    source_ton: null,
    source_npi: null,
    destination_ton: null,
    destination_npi: null,
  });
});

test('neither the password nor the text of a message is in any outcome or state', async () => {
  const smsc = await startSmsc({ onSubmit: ({ respond }) => respond(0x45) });
  const { send, states, adapter, account } = await openSmpp(smsc.port);
  const body = 'a text that only its recipient may read';
  smsc.onBind = () => 0x0e;
  const shown = [await send({ body }), await adapter.verifyAccount(account), states];
  smsc.bound()?.socket.destroy();
  shown.push(await send({ body }), states);
  const text = inspect(shown, { depth: null });
  expect(text).toContain('ESME_RSUBMITFAIL');
  expect(text).not.toContain(CREDENTIALS.password);
  expect(text).not.toContain('only its recipient');
});

test('a change keeps the password only for the same server and account, and not without TLS', () => {
  const adapter = createAdapter();
  const given = { ...CREDENTIALS, tls: true };
  const { account } = readCredentials(adapter, given);
  const { password, ...rest } = given;
  const complete = (change: object) =>
    adapter.completeCredentials?.({ ...rest, ...change }, account)?.['password'];
  expect(complete({ window: 50 })).toBe(password);
  expect(complete({ password: 'another' })).toBe('another');
  for (const change of [{ host: 'x.example' }, { port: 1 }, { system_id: 'x' }, { tls: false }]) {
    expect(complete(change)).toBeUndefined();
  }
});
