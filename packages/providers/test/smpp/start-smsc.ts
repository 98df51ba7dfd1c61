import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  type MessagePdu,
  type Pdu,
  type RequestResult,
  type Session,
  createSession,
} from '@switchboard/smpp';
import { onTestFinished } from 'vitest';
import { LOCALHOST_CERTIFICATE } from '../fault-server.ts';

/** A connection to the SMSC of a test. */
export interface Peer {
  socket: Socket;
  session: Session;
  /** The bind; null until it arrives. */
  role: string | null;
}

/** A submit_sm that the SMSC has received. */
export interface Submit {
  pdu: MessagePdu;
  peer: Peer;
  respond(status: number, messageId?: string): void;
}

export interface SmscOptions {
  tls?: boolean;
  /** The status of the response to a bind; null to send none. */
  onBind?(pdu: Extract<Pdu, { password: string }>, peer: Peer): number | null;
  onSubmit?(submit: Submit): void;
  onConnection?(socket: Socket): void;
}

const KEY = readFileSync(new URL('../certificates/localhost-key.pem', import.meta.url), 'utf8');

/** Accepts a message with an identifier that contains the number of submit_sm so far. */
export function accept({ pdu, respond }: Submit): void {
  respond(0, `id-${pdu.destination}-${pdu.sequence}`);
}

/**
 * Serves SMPP on raw sockets, so that a test controls every byte and every close. Closed when the test
 * ends.
 */
export async function startSmsc(options: SmscOptions = {}) {
  const peers: Peer[] = [];
  const sockets = new Set<Socket>();
  const smsc = {
    port: 0,
    /** All connections so far. */
    connections: 0,
    bytesReceived: 0,
    peers,
    submits: [] as Submit[],
    binds: [] as Extract<Pdu, { password: string }>[],
    /** Requests other than binds and submit_sm. */
    others: [] as Pdu[],
    onBind: options.onBind ?? (() => 0),
    onSubmit: options.onSubmit ?? accept,
    bound: (role = 'transceiver') => peers.findLast((peer) => peer.role === role),

    /** Delivers a message or a receipt over the latest connection with this role. */
    async deliver(fields: Partial<MessagePdu>, role = 'transceiver'): Promise<RequestResult> {
      const peer = smsc.bound(role);
      if (peer === undefined) throw new Error(`No ${role} is bound`);
      return peer.session.request({ ...EMPTY, ...fields, command: 'deliver_sm' }, 20_000);
    },

    /** Stops listening and cuts all connections. */
    async stop() {
      for (const socket of sockets) socket.destroy();
      if (!listener.listening) return;
      listener.close();
      await once(listener, 'close');
    },

    /** Listens again on the same port. */
    async restart() {
      listener.listen(smsc.port, '127.0.0.1');
      await once(listener, 'listening');
    },
  };

  const listener = createServer((bare) => {
    smsc.connections += 1;
    sockets.add(bare);
    bare.on('close', () => sockets.delete(bare));
    bare.on('error', () => undefined);
    options.onConnection?.(bare);
    const socket =
      options.tls === true
        ? new TLSSocket(bare, { isServer: true, cert: LOCALHOST_CERTIFICATE, key: KEY })
        : bare;
    socket.on('data', (chunk: Buffer) => (smsc.bytesReceived += chunk.length));
    const peer: Peer = {
      socket,
      role: null,
      session: createSession(socket, {
        onRequest: async (pdu) => receive(peer, pdu),
        onClose() {},
      }),
    };
    peers.push(peer);
  });

  function receive(peer: Peer, pdu: Pdu): void {
    const { session } = peer;
    switch (pdu.command) {
      case 'bind_transceiver':
      case 'bind_transmitter':
      case 'bind_receiver': {
        smsc.binds.push(pdu);
        const status = smsc.onBind(pdu, peer);
        if (status === null) return;
        if (status === 0) peer.role = pdu.command.slice('bind_'.length);
        const response = { command: `${pdu.command}_resp`, status, systemId: 'Test' } as const;
        return session.respond(response, pdu.sequence);
      }
      case 'submit_sm': {
        const submit: Submit = {
          pdu,
          peer,
          respond: (status, messageId = '') =>
            session.respond({ command: 'submit_sm_resp', status, messageId }, pdu.sequence),
        };
        smsc.submits.push(submit);
        return smsc.onSubmit(submit);
      }
      case 'unbind':
        smsc.others.push(pdu);
        session.respond({ command: 'unbind_resp', status: 0 }, pdu.sequence);
        peer.socket.end();
        return;
      default:
        smsc.others.push(pdu);
    }
  }

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  smsc.port = (listener.address() as AddressInfo).port;
  onTestFinished(() => smsc.stop());
  return smsc;
}

const EMPTY = {
  serviceType: '',
  sourceTon: 1,
  sourceNpi: 1,
  source: '15551234567',
  destinationTon: 1,
  destinationNpi: 1,
  destination: '15557654321',
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
