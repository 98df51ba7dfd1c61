import type { ProviderAdapter, ProviderSession } from '@switchboard/core';
import { decodeText, parseTextPart } from '@switchboard/smpp';

import type { AdapterOptions } from '../adapter-options.ts';
import { createWebhookAddresses } from '../webhook-addresses.ts';
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

const TYPE = 'smpp';

const addresses = createWebhookAddresses(TYPE, 'providerId');
const NO_RECORDS = { kind: 'unavailable', detail: 'SMPP has no list of sent messages.' } as const;

/** Creates the adapter for SMPP 3.4. Messages are sent only while a session of their account is open. */
export function createSmppAdapter(
  options: AdapterOptions,
  timings: Timings = TIMINGS,
): ProviderAdapter {
  const { callTimeoutMs } = options;
  const openConnection = createOpenConnection(options);
  const pool = createSessionPool();

  return {
    type: TYPE,
    // A receipt has only the SMSC's identifier, and query_sm finds a message only by it.
    evidence: { idempotencyKey: false, referenceInCallback: false, lookUp: 'none' },
    callsProveAccount: true,
    sendsMedia: false,
    webhooks: null,
    inboundList: null,
    optOutCodes: [],
    readCredentials,
    completeCredentials,
    describeCredentials,
    toStatusUrl: addresses.toStatusUrl,
    toInboundUrl: addresses.toInboundUrl,
    send: (account, request, mayWrite) =>
      sendMessage({ pool, callTimeoutMs, timings }, account, request, mayWrite),
    probe: (account) => probeAccount(pool, timings, account),
    findSent: async () => NO_RECORDS,
    fetchMessage: async () => NO_RECORDS,
    verifyAccount: (account) => verifyAccount({ openConnection, timings }, account),
    // Messages arrive over the session.
    configureInbound: async () => 'manual',
    listNumbers: null,
    fetchMedia: async () => ({ kind: 'missing' }),
    hasSignature: () => false,
    readStatusCallback: () => ({ kind: 'forged' }),
    readInbound: () => ({ kind: 'forged' }),

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

    async close() {
      await Promise.all(pool.list().map((session) => session.close(callTimeoutMs)));
    },
  };
}

const MALFORMED: ProviderSession = {
  state: { kind: 'refused', detail: 'The credentials of the SMPP account are malformed.' },
  close: async () => undefined,
};
