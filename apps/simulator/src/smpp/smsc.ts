import type { Socket } from 'node:net';
import { type MessagePdu, type Pdu, type Session, STATUS, createSession } from '@switchboard/smpp';
import type { Bind } from './bind.ts';
import type { Outbox } from './outbox.ts';
import type { HandleSubmit } from './handle-submit.ts';

export interface SmscDependencies {
  bind: Bind;
  outbox: Pick<Outbox, 'addReceiver'>;
  handleSubmit: HandleSubmit;
  onError(cause: unknown): void;
}

type BindPdu = Extract<Pdu, { command: `bind_${string}`; systemId: string; password: string }>;

/** Handles the connections of the SMPP port. */
export function createSmsc(dependencies: SmscDependencies) {
  const { bind, outbox, handleSubmit, onError } = dependencies;

  return function handleConnection(socket: Socket): void {
    socket.setNoDelay(true);
    let accountId: string | null = null;
    let canSubmit = false;
    const cleanUps: (() => void)[] = [];
    const session: Session = createSession(socket, {
      onRequest: (pdu) =>
        handle(pdu).catch((cause: unknown) => {
          onError(cause);
          socket.destroy();
        }),
      onClose: () => {
        for (const cleanUp of cleanUps) cleanUp();
      },
    });

    async function handle(pdu: Pdu): Promise<void> {
      switch (pdu.command) {
        case 'bind_transceiver':
        case 'bind_transmitter':
        case 'bind_receiver':
          return open(pdu);
        case 'submit_sm':
          return submit(pdu);
        case 'unbind':
          session.respond({ command: 'unbind_resp', status: STATUS.ESME_ROK }, pdu.sequence);
          socket.end();
          return;
        default:
          return session.respond(
            { command: 'generic_nack', status: STATUS.ESME_RINVCMDID },
            pdu.sequence,
          );
      }
    }

    async function open(pdu: BindPdu): Promise<void> {
      const { command, systemId, password, sequence } = pdu;
      const outcome =
        accountId === null
          ? await bind(systemId, password)
          : { ok: false as const, status: STATUS.ESME_RALYBND };
      if (!outcome.ok) {
        const { status } = outcome;
        session.respond({ command: `${command}_resp`, status, systemId: '' }, sequence);
        return;
      }
      if (socket.destroyed) return outcome.release();
      accountId = systemId;
      canSubmit = command !== 'bind_receiver';
      cleanUps.push(outcome.release);
      session.respond({ command: `${command}_resp`, status: 0, systemId: 'Simulator' }, sequence);
      // Registered after the response, because no PDU may arrive before the response.
      if (command !== 'bind_transmitter') cleanUps.push(outbox.addReceiver(systemId, session));
    }

    async function submit(pdu: MessagePdu): Promise<void> {
      const { sequence } = pdu;
      if (accountId === null || !canSubmit) {
        const status = STATUS.ESME_RINVBNDSTS;
        return session.respond({ command: 'submit_sm_resp', status, messageId: '' }, sequence);
      }
      const outcome = await handleSubmit(accountId, pdu);
      switch (outcome.type) {
        case 'accepted': {
          const { messageId } = outcome;
          return session.respond({ command: 'submit_sm_resp', status: 0, messageId }, sequence);
        }
        case 'refused': {
          const status = STATUS[outcome.status];
          return session.respond({ command: 'submit_sm_resp', status, messageId: '' }, sequence);
        }
        case 'reset':
          socket.resetAndDestroy();
          return;
        case 'silent':
          return;
        case 'mismatched':
          return session.respond({ command: 'enquire_link_resp', status: 0 }, sequence);
      }
    }
  };
}
