import type { ProviderAdapter, ProviderSession } from '@switchboard/core';
import { decodeText, parseTextPart } from '@switchboard/smpp';

import type { AdapterOptions } from '../adapter-options.ts';
import { probeAccount, verifyAccount } from './check-account.ts';
import {
  completeCredentials,
  describeCredentials,
  openSettings,
  readCredentials,
} from './credentials.ts';
import { createOpenConnection } from './open-connection.ts';
import { toExpectedKey } from './message-id.ts';
import { openSession } from './open-session.ts';
import { sendMessage } from './send-message.ts';
import { createSessionPool } from './session-pool.ts';
import { TIMINGS, type Timings } from './timings.ts';

/** Creates the adapter for SMPP 3.4. Messages are sent only while a session of their account is open. */
export function createSmppAdapter(
  options: AdapterOptions,
  timings: Timings = TIMINGS,
): ProviderAdapter {
  const { callTimeoutMs } = options;
  const openConnection = createOpenConnection(options);
  const pool = createSessionPool();

  return {
    type: 'smpp',
    // A receipt has only the SMSC's identifier.
    evidence: { idempotencyKey: false, referenceInCallback: false },
    callsProveAccount: true,
    sendsMedia: false,
    optOutCodes: [],
    readCredentials,
    completeCredentials,
    describeCredentials,
    send: (account, request, mayWrite) =>
      sendMessage({ pool, callTimeoutMs, timings }, account, request, mayWrite),
    probe: (account) => probeAccount(pool, timings, account),
    verifyAccount: (account) => verifyAccount({ openConnection, timings }, account),
    async close() {
      await Promise.all(pool.list().map((session) => session.close(callTimeoutMs)));
    },

    // query_sm finds a message only by the SMSC's identifier, and receipts report its status.
    lookUp: null,
    fetchMessage: null,
    // Everything arrives over the session.
    webhooks: null,
    redactMessage: null,
    fetchMedia: null,
    inboundList: null,
    listNumbers: null,
    configureInbound: null,
    sessions: {
      maxSessions: (account) => openSettings(account)?.maxBinds ?? 1,
      toExpectedKey: (account, sid) =>
        toExpectedKey(sid, openSettings(account)?.messageIds ?? 'same'),
      decodeParts: (contents) => decodeText(contents.map(parseTextPart)),

      open(account, receiver, isHeld): ProviderSession {
        const settings = openSettings(account);
        if (settings === null) return MALFORMED;
        const session = openSession({
          account,
          settings,
          receiver,
          isHeld,
          openConnection,
          timings,
          onChange: () => pool.update(account),
        });
        pool.add(account, session);
        return {
          get state() {
            return session.state;
          },
          async close(graceMs) {
            await session.close(graceMs);
            pool.remove(account, session);
          },
        };
      },
    },
  };
}

const MALFORMED: ProviderSession = {
  state: { kind: 'refused', detail: 'The credentials of the SMPP account are malformed.' },
  close: async () => undefined,
};
