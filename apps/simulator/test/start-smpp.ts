import { once } from 'node:events';
import { EVENTUALLY } from '@switchboard/testing';
import smpp, { type Pdu, type Session } from 'smpp';
import { onTestFinished, vi } from 'vitest';
import { startVendors } from './start-vendors.ts';

export const TO = '447700900001';
export const FROM = '447700900000';

type Command = 'bind_transceiver' | 'bind_transmitter' | 'submit_sm' | 'enquire_link' | 'unbind';

/** Starts a simulator with an SMPP account, and connects with the package `smpp`. */
export async function startSmpp(given?: { dataDir: string }) {
  const vendors = await startVendors(given);
  const { urls, createAccount } = vendors;

  /** Connects without a bind. `answer` returns the status of each deliver_sm_resp. */
  async function connect(answer: (nth: number) => number = () => smpp.ESME_ROK) {
    const session = smpp.connect({ url: urls.smpp });
    const delivered: Pdu[] = [];
    let isClosed = false;
    session.on('error', () => undefined);
    session.on('close', () => {
      isClosed = true;
    });
    session.on('deliver_sm', (pdu: Pdu) => {
      delivered.push(pdu);
      session.send(pdu.response({ command_status: answer(delivered.length) }));
    });
    onTestFinished(() => session.destroy());
    await once(session, 'connect');
    return {
      delivered,
      send: (command: Command, fields: object = {}) => send(session, command, fields),
      submit: (fields: object = {}) =>
        send(session, 'submit_sm', {
          source_addr_ton: 1,
          source_addr: FROM,
          dest_addr_ton: 1,
          destination_addr: TO,
          short_message: 'Hello',
          ...fields,
        }),
      close: () => session.destroy(),
      waitForDelivered: (count: number) =>
        vi.waitFor(() => {
          if (delivered.length < count) throw new Error(`${delivered.length} of ${count}`);
        }, EVENTUALLY),
      waitForClose: () =>
        vi.waitFor(() => {
          if (!isClosed) throw new Error('The connection is open');
        }, EVENTUALLY),
    };
  }

  return {
    ...vendors,
    connect,
    createSmpp: (more: object = {}) => createAccount('smpp', more),

    /** Connects and binds. */
    async bind(account: Record<string, string>, answer?: (nth: number) => number) {
      const client = await connect(answer);
      const response = await client.send('bind_transceiver', credentialsOf(account));
      if (response.command_status !== smpp.ESME_ROK) throw new Error('The bind was refused');
      return client;
    },
  };
}

export function credentialsOf({ system_id, password }: Record<string, string>) {
  return { system_id, password };
}

function send(session: Session, command: Command, fields: object): Promise<Pdu> {
  return new Promise((resolve) => {
    session[command](fields, resolve);
  });
}
