import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { EVENTUALLY, findKannelSmsc, startChild } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSmpp } from '../test/smpp/open-smpp.ts';

/** The SMSC delivers this many messages, each followed by an enquire_link. */
const MESSAGES = 200;
/**
 * The SMSC also connects to this port, where Kannel's own gateway would listen. No option changes
 * the port.
 */
const GATEWAY_PORT = 13_001;

/** Starts the SMPP server of Debian's package `kannel-extras`, which has Kannel's own implementation. */
async function startKannel() {
  const gateway = createServer((socket) => socket.on('error', () => undefined));
  gateway.listen(GATEWAY_PORT, '127.0.0.1');
  await once(gateway, 'listening');
  onTestFinished(() => void gateway.close());
  const port = await findFreePort();
  const child = await startChild({
    name: 'Kannel',
    command: await findKannelSmsc(),
    args: ['-v', '0', '-p', String(port), '-m', String(MESSAGES)],
    env: { PATH: '/usr/bin:/bin' },
    isReady: (line) => line.includes('accept_thread) maps to pid'),
  });
  onTestFinished(() => child.kill());
  return { port, logs: child.logs };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('Kannel’s SMPP server accepts our binds and messages, and delivers messages that we acknowledge', async () => {
  const kannel = await startKannel();
  const credentials = { bind: 'transmitter_receiver', system_id: 'foo', password: 'bar' };
  const { send, inbound, session } = await openSmpp(kannel.port, { credentials });
  const texts = ['Hello', 'x'.repeat(400), 'Привет'];
  for (const body of texts) {
    // This server does not return identifiers, so it accepts a message without naming it.
    expect(await send({ body })).toMatchObject({
      kind: 'unknown',
      detail: expect.stringContaining('without a readable identifier'),
    });
  }
  const submits = () => kannel.logs.filter((line) => line.includes('submit_sm: short_message'));
  await vi.waitFor(() => expect(submits()).toHaveLength(1 + 3 + 1), EVENTUALLY);
  expect(submits()[0]).toContain('<Hello>');

  await vi.waitFor(() => expect(inbound).toHaveLength(MESSAGES), EVENTUALLY);
  expect(inbound[0]).toMatchObject({ message: { from: '456', to: '123', body: '1', sid: null } });
  expect(inbound.map(({ message }) => message.body)).toEqual(
    Array.from({ length: MESSAGES }, (_, index) => String(index + 1)),
  );
  const responses = (type: string) =>
    kannel.logs.filter((line) => line.includes(`Handling SMPP PDU of type ${type}`)).length;
  await vi.waitFor(() => {
    expect(responses('deliver_sm_resp')).toBe(MESSAGES);
    expect(responses('enquire_link_resp')).toBe(MESSAGES);
  }, EVENTUALLY);
  expect(session.state).toEqual({ kind: 'bound' });
  expect(kannel.logs.filter((line) => /garbage|unpacking failed|Unhandled/.test(line))).toEqual([]);
  await session.close(20_000);
  expect(responses('unbind')).toBe(2);
});
