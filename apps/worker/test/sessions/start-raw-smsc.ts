import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { type MessagePdu, type Pdu, STATUS, type Session, createSession } from '@switchboard/smpp';
import { createWorkspaceFixture } from '@switchboard/testing';
import { onTestFinished } from 'vitest';
import { LONG_TIMEOUTS, startEnvironment } from '../start-environment.ts';
import { addSmppAccount } from './start-session-environment.ts';

export const SENDER = '+14155550177';

/** An SMSC of a test, which chooses the identifiers of its responses and every byte of its receipts. */
export async function startRawSmsc() {
  const sockets = new Set<Socket>();
  let bound: Session | null = null;
  const smsc = {
    port: 0,
    /** The identifiers of the next responses. */
    ids: [] as string[],
    submits: [] as MessagePdu[],

    /** Delivers a PDU over the latest bind, and returns the status of the response. */
    async deliver(fields: Partial<MessagePdu>): Promise<number | null> {
      const pdu = { ...EMPTY, ...fields, command: 'deliver_sm' } as const;
      const result = await bound?.request(pdu, 30_000);
      return result?.type === 'response' ? result.pdu.status : null;
    },

    /** Delivers a receipt from the recipient of a message. */
    report: (to: string, text: string): Promise<number | null> =>
      smsc.deliver({ esmClass: 4, source: to.slice(1), shortMessage: Buffer.from(text) }),
  };

  function receive(session: Session, pdu: Pdu): void {
    if (pdu.command === 'bind_transceiver') {
      bound = session;
      const response = { command: 'bind_transceiver_resp', status: 0, systemId: 'raw' } as const;
      session.respond(response, pdu.sequence);
    } else if (pdu.command === 'submit_sm') {
      smsc.submits.push(pdu);
      const messageId = smsc.ids.shift() ?? `id-${smsc.submits.length}`;
      const response = { command: 'submit_sm_resp', status: STATUS.ESME_ROK, messageId } as const;
      session.respond(response, pdu.sequence);
    } else if (pdu.command === 'unbind') {
      session.respond({ command: 'unbind_resp', status: 0 }, pdu.sequence);
      session.end();
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    const session: Session = createSession(socket, {
      onRequest: async (pdu) => receive(session, pdu),
      onClose: () => undefined,
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  smsc.port = (server.address() as AddressInfo).port;
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return smsc;
}

/** Starts a worker with one account at the SMSC of a test. */
export async function startRawEnvironment() {
  const smsc = await startRawSmsc();
  const environment = await startEnvironment({
    hintGraceMs: 300,
    settings: { PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8', ...LONG_TIMEOUTS },
  });
  const { database, databaseUrl } = environment;
  const { workspaceId } = await createWorkspaceFixture(databaseUrl, {
    provider: false,
    from: SENDER,
  });
  const credentials = {
    host: '127.0.0.1',
    port: smsc.port,
    tls: false,
    system_id: 'raw',
    password: 'a secret of many characters',
  };
  const providerId = await addSmppAccount(database, workspaceId, credentials);
  await environment.startWorker();

  /** Sends a message, to which the SMSC gives the identifier, and waits for the response. */
  async function send(to: string, sid: string): Promise<string> {
    smsc.ids.push(sid);
    const { messageId } = await environment.accept(workspaceId, to, { from: SENDER });
    await environment.until(messageId, ({ dispatch }) => dispatch === 'accepted');
    return messageId;
  }

  async function readTimeline(messageId: string): Promise<string[]> {
    const { rows } = await database.pool.query<{ type: string; detail: string | null }>(
      'SELECT type, detail FROM message_timeline WHERE message_id = $1 ORDER BY message_version',
      [messageId],
    );
    return rows.map(({ type, detail }) => (detail === null ? type : `${type}: ${detail}`));
  }

  return { ...environment, smsc, workspaceId, providerId, credentials, send, readTimeline };
}

const EMPTY = {
  serviceType: '',
  sourceTon: 1,
  sourceNpi: 1,
  source: '14155550100',
  destinationTon: 1,
  destinationNpi: 1,
  destination: SENDER.slice(1),
  esmClass: 0,
  protocolId: 0,
  priority: 0,
  scheduleTime: '',
  validityPeriod: '',
  registeredDelivery: 0,
  replaceIfPresent: 0,
  dataCoding: 0,
  defaultMessageId: 0,
  shortMessage: Buffer.alloc(0),
  tlvs: new Map<number, Buffer>(),
};
