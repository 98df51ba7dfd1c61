import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import smpp, { type Pdu, type Session } from 'smpp';
import { expect, onTestFinished, test } from 'vitest';
import { CREDENTIALS, openSmpp } from './open-smpp.ts';

/** Starts a server of the package `smpp`, an implementation of the protocol that we did not write. */
async function startServer() {
  const submits: Pdu[] = [];
  const sessions: Session[] = [];
  const server = smpp.createServer((session) => {
    sessions.push(session);
    session.on('error', () => undefined);
    session.on('bind_transceiver', (pdu: Pdu) => {
      const isRight = pdu.password === CREDENTIALS.password;
      const command_status = isRight ? smpp.ESME_ROK : smpp.ESME_RINVPASWD;
      session.send(pdu.response({ command_status }));
    });
    session.on('submit_sm', (pdu: Pdu) => {
      submits.push(pdu);
      const isThrottled = pdu.short_message?.message === 'too fast';
      session.send(
        pdu.response(
          isThrottled
            ? { command_status: smpp.ESME_RTHROTTLED }
            : { message_id: `p-${submits.length}` },
        ),
      );
    });
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response());
      session.close();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const session of sessions) session.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    submits,
    deliver: (fields: object, command: 'deliver_sm' | 'data_sm' = 'deliver_sm') =>
      new Promise<Pdu>((resolve) => sessions[0]?.[command](fields, resolve)),
  };
}

test('a server of the package smpp accepts our bind, messages and responses', async () => {
  const server = await startServer();
  const { send, statuses, inbound, session } = await openSmpp(server.port);
  expect(await send()).toMatchObject({ kind: 'accepted', message: { sid: 'p-1' } });
  expect(await send({ body: 'Привет 😀'.repeat(20) })).toMatchObject({ kind: 'accepted' });
  expect(await send({ body: 'too fast' })).toMatchObject({ kind: 'not_sent', reason: 'throttled' });
  expect(server.submits[0]).toMatchObject({
    source_addr: '15557654321',
    destination_addr: '15551234567',
    registered_delivery: 1,
    short_message: { message: 'Hello' },
  });
  const parts = server.submits.slice(1, -1).map((pdu) => pdu.short_message);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.map((part) => part?.message).join('')).toBe('Привет 😀'.repeat(20));
  expect(parts.every((part) => part?.udh !== undefined)).toBe(true);

  const receipt =
    'id:p-1 sub:001 dlvrd:001 submit date:2611231200 done date:2611231200 stat:DELIVRD err:000 text:Hello';
  const isAccepted = { command_status: smpp.ESME_ROK };
  expect(await server.deliver({ esm_class: 4, short_message: receipt })).toMatchObject(isAccepted);
  // Without it, the package claims that its GSM-7 is ASCII.
  const addresses = { source_addr_ton: 1, source_addr: '15551234567', destination_addr: '12345' };
  expect(
    await server.deliver({ ...addresses, data_coding: 0, short_message: 'Grüße' }),
  ).toMatchObject(isAccepted);
  expect(statuses).toMatchObject([{ sid: 'p-1', status: 'delivered' }]);
  expect(inbound).toMatchObject([
    { message: { from: '+15551234567', to: '12345', body: 'Grüße' } },
  ]);
  await session.close(20_000);
});

test('a receipt and a message that arrive as data_sm are stored and acknowledged', async () => {
  const server = await startServer();
  const { statuses, inbound, session } = await openSmpp(server.port);
  const accepted = { command: 'data_sm_resp', command_status: smpp.ESME_ROK };
  const receipt = { esm_class: 4, receipted_message_id: 'abc-1', message_state: 2 };
  expect(await server.deliver(receipt, 'data_sm')).toMatchObject(accepted);
  const message = {
    source_addr_ton: 1,
    source_addr: '15551234567',
    destination_addr: '12345',
    data_coding: 8,
    message_payload: { message: 'Привет 😀'.repeat(30) },
  };
  expect(await server.deliver(message, 'data_sm')).toMatchObject(accepted);
  expect(statuses).toMatchObject([{ sid: 'abc-1', status: 'delivered' }]);
  expect(inbound).toMatchObject([
    { message: { from: '+15551234567', to: '12345', body: 'Привет 😀'.repeat(30) } },
  ]);
  await session.close(20_000);
});
