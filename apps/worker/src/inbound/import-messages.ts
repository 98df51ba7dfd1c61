import type {
  Clock,
  InboundList,
  ListedInbound,
  ProviderAccount,
  ReceiveInbound,
} from '@switchboard/core';
import {
  type InboundNumber,
  type InboundStore,
  type InboundTurn,
  type MessageStore,
  classifySqlError,
} from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';
import type { Logger } from '@switchboard/runtime';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface ImportMessagesDependencies {
  cursors: Pick<InboundStore, 'extendTurn'>;
  messages: Pick<MessageStore, 'findReceived'>;
  resolveProviderAccount: ResolveProviderAccount;
  receiveInbound: ReceiveInbound;
  databaseClock: Pick<Clock, 'now'>;
  clock: Pick<Clock, 'monotonic'>;
  turnMs: number;
  isStopping(): boolean;
  metrics: Pick<WorkerMetrics, 'inboundFound' | 'inboundUnreadable'>;
}

interface Reading extends ImportMessagesDependencies {
  turn: InboundTurn;
  list: InboundList;
  account: ProviderAccount;
  requestId: string;
  log: Logger;
}

/**
 * Messages younger than this are left to their webhooks, because the list has no field for the keyword
 * that the provider recognized. The provider retries a webhook for 15 s.
 */
export const WEBHOOK_MS = 30_000;

const NO_MEDIA = { kind: 'read', media: [] } as const;

/**
 * Creates an import, for one turn, of the messages that the numbers of one account have received.
 */
export function createImportMessages(reading: Reading) {
  const { turn, list, account, metrics, log } = reading;
  const { workspaceId } = turn;
  let imported = 0;
  let heldSince = reading.clock.monotonic();

  /** Imports all messages of a number since a time. Returns false if a page could not be read. */
  async function importAll({ number }: InboundNumber, since: Date): Promise<boolean> {
    let page: string | null = null;
    do {
      if (reading.isStopping()) return false;
      await keepTurn();
      const response = await list.readPage(account, { to: number, since, page });
      if (response.kind === 'unavailable') return giveUp(number, response.detail);
      const { unreadable, next } = response;
      if (unreadable.length > 0) reportUnreadable(unreadable, { number });
      for (const message of await findMissing(response.messages)) {
        if (reading.isStopping()) return false;
        if (!(await store(message))) return giveUp(number, 'The provider did not list the media');
      }
      page = next;
    } while (page !== null);
    return true;
  }

  function giveUp(number: string, detail: string): false {
    log.warn({ number, detail }, 'failed to read the list of inbound messages');
    return false;
  }

  function reportUnreadable(sids: readonly string[], fields: object): void {
    metrics.inboundUnreadable.inc(sids.length);
    log.error({ ...fields, provider_sids: sids }, 'failed to import inbound messages');
  }

  /** Returns the messages that are not stored yet, oldest first. */
  async function findMissing(listed: readonly ListedInbound[]): Promise<ListedInbound[]> {
    const old = listed.filter(({ receivedAt }) => Date.now() - receivedAt.getTime() >= WEBHOOK_MS);
    if (old.length === 0) return [];
    const sids = old.map(({ sid }) => sid);
    const known = await reading.messages.findReceived(workspaceId, account.vendorAccountId, sids);
    return old
      .filter(({ sid }) => !known.has(sid))
      .toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime());
  }

  /** Returns false if the provider did not respond. */
  async function store({ mediaCount, receivedAt, ...listed }: ListedInbound): Promise<boolean> {
    await keepTurn();
    const response = mediaCount === 0 ? NO_MEDIA : await list.readMedia(account, listed.sid);
    if (response.kind === 'unavailable') return false;
    const now = reading.databaseClock.now();
    try {
      const id = await reading.receiveInbound(
        { ...listed, media: response.media },
        {
          workspaceId,
          providerId: turn.id,
          now,
          listedAt: now - (Date.now() - receivedAt.getTime()),
          requestId: reading.requestId,
          traceParent: null,
          log,
        },
      );
      if (id !== null) {
        imported += 1;
        metrics.inboundFound.inc();
      }
    } catch (error) {
      // Data that PostgreSQL refuses can never be stored and must not block later messages. After
      // any other failure, the next turn tries again.
      if (classifySqlError(error) !== 'bad_row') throw error;
      reportUnreadable([listed.sid], { err: error });
    }
    return true;
  }

  async function keepTurn(): Promise<void> {
    if (reading.clock.monotonic() - heldSince < reading.turnMs / 3) return;
    await reading.cursors.extendTurn(turn, reading.turnMs);
    heldSince = reading.clock.monotonic();
  }

  return {
    importAll,
    get imported() {
      return imported;
    },
  };
}
