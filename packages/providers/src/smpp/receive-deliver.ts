import type { ProviderAccount, SessionReceiver } from '@switchboard/core';
import { type DeliveredPdu, STATUS, type Session } from '@switchboard/smpp';

import type { SmppSettings } from './credentials.ts';
import { type Delivered, readDeliver } from './read-deliver.ts';

/**
 * Creates the handler of deliver_sm and data_sm. It acknowledges a receipt or a message only after it is stored, so
 * that the SMSC delivers it again if this process or the database fails before that.
 */
export function createReceiveDeliver(
  account: ProviderAccount,
  settings: SmppSettings,
  receiver: Pick<SessionReceiver, 'onStatus' | 'onInbound' | 'onProblem'>,
) {
  const waiting = new Set<Promise<void>>();

  async function store(delivered: Delivered): Promise<number> {
    try {
      switch (delivered.kind) {
        case 'status':
          await receiver.onStatus(delivered.callback);
          if (delivered.problem !== null) receiver.onProblem(delivered.problem);
          return STATUS.ESME_ROK;
        case 'inbound':
          await receiver.onInbound(delivered.inbound);
          return STATUS.ESME_ROK;
        case 'unreadable':
          receiver.onProblem(delivered.problem);
          return STATUS.ESME_RX_P_APPN;
      }
    } catch {
      // The receiver logs its failures. The SMSC keeps the message and delivers it again.
      return STATUS.ESME_RX_T_APPN;
    }
  }

  async function receive(pdu: DeliveredPdu, session: Session): Promise<void> {
    const status = await store(readDeliver(pdu, account, settings));
    const command = pdu.command === 'data_sm' ? 'data_sm_resp' : 'deliver_sm_resp';
    session.respond({ command, status, messageId: '' }, pdu.sequence);
  }

  return {
    /** Resolves when the SMSC has been answered. */
    receive(pdu: DeliveredPdu, session: Session): Promise<void> {
      const done = receive(pdu, session).finally(() => waiting.delete(done));
      waiting.add(done);
      return done;
    },

    /** Resolves when everything that was received is stored and acknowledged, or refused. */
    async idle(): Promise<void> {
      while (waiting.size > 0) await Promise.all(waiting);
    },
  };
}
