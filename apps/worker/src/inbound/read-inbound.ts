import type { Clock, InboundList, ListedInbound, ProviderAccount } from '@switchboard/core';
import { type ReceiveInbound, createUuidV7 } from '@switchboard/core';
import {
  type InboundNumber,
  type InboundStore,
  type InboundTurn,
  type MessageStore,
  isDatabaseUnavailable,
} from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';
import type { Logger } from '@switchboard/runtime';
import type { WorkerMetrics } from '../worker-metrics.ts';

export interface ReadInboundDependencies {
  cursors: Pick<InboundStore, 'extendTurn' | 'listNumbers' | 'recordRead'>;
  messages: Pick<MessageStore, 'findReceived'>;
  resolveProviderAccount: ResolveProviderAccount;
  receiveInbound: ReceiveInbound;
  databaseClock: Pick<Clock, 'now'>;
  turnMs: number;
  isStopping(): boolean;
  metrics: Pick<WorkerMetrics, 'inboundFound'>;
  logger: Logger;
}

/**
 * Newer messages are left to their webhooks, which contain more: the list does not show which
 * keyword the provider recognised. The provider retries for 15 s.
 */
const WEBHOOK_MS = 30_000;

/**
 * Reads the messages that the numbers of one account received, and stores those without a webhook.
 */
export function createReadInbound(deps: ReadInboundDependencies) {
  return async function readInbound(turn: InboundTurn): Promise<void> {
    const { workspaceId } = turn;
    const resolved = deps.resolveProviderAccount(workspaceId, turn);
    const list = resolved.kind === 'resolved' ? resolved.adapter.inboundList : null;
    if (resolved.kind === 'unusable' || list === null) return;
    const requestId = createUuidV7(Date.now());
    const log = deps.logger.child({ workspace_id: workspaceId, request_id: requestId });
    const reader = createReader({ ...deps, turn, list, account: resolved.account, requestId, log });
    try {
      // Before the query, so that the period begins too early rather than too late.
      const listedAt = Date.now();
      for (const number of await deps.cursors.listNumbers(workspaceId)) {
        if (number.unreadMs <= WEBHOOK_MS) continue;
        if (!(await reader.read(number, new Date(listedAt - number.unreadMs)))) break;
      }
    } finally {
      const { found } = reader;
      if (found > 0) log.warn({ found }, 'found inbound messages without a webhook');
    }
  };
}

interface Reading extends ReadInboundDependencies {
  turn: InboundTurn;
  list: InboundList;
  account: ProviderAccount;
  requestId: string;
  log: Logger;
}

function createReader(reading: Reading) {
  const { cursors, turn, list, account, log } = reading;
  const { workspaceId } = turn;
  let found = 0;
  let heldSince = performance.now();

  /** Reads all pages and then sets the cursor; returns false if the account's turn must end. */
  async function read({ id, number, listedAt }: InboundNumber, since: Date): Promise<boolean> {
    let page: string | null = null;
    do {
      if (reading.isStopping()) return false;
      await keepTurn();
      const answer = await list.readPage(account, { to: number, since, page });
      if (answer.kind === 'unavailable') return giveUp(number, answer.detail);
      const { unreadable, next } = answer;
      if (unreadable > 0)
        log.error({ number, unreadable }, 'the provider listed malformed inbound messages');
      for (const message of await findMissing(answer.messages)) {
        if (reading.isStopping()) return false;
        if (!(await store(message))) return giveUp(number, 'The provider did not list the media');
      }
      page = next;
    } while (page !== null);
    const until = new Date(listedAt.getTime() - WEBHOOK_MS);
    await cursors.recordRead({ workspaceId, id, account: account.id, until });
    return true;
  }

  function giveUp(number: string, detail: string): false {
    log.warn({ number, detail }, 'failed to read the list of inbound messages');
    return false;
  }

  /** Sorts the oldest message first. */
  async function findMissing(listed: readonly ListedInbound[]): Promise<ListedInbound[]> {
    const old = listed.filter(({ receivedAt }) => Date.now() - receivedAt.getTime() >= WEBHOOK_MS);
    if (old.length === 0) return [];
    const sids = old.map(({ sid }) => sid);
    const known = await reading.messages.findReceived(workspaceId, account.id, sids);
    return old
      .filter(({ sid }) => !known.has(sid))
      .toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime());
  }

  /** Returns false if the provider did not answer. */
  async function store({ mediaCount, receivedAt, ...listed }: ListedInbound): Promise<boolean> {
    await keepTurn();
    const answer = mediaCount === 0 ? NO_MEDIA : await list.readMedia(account, listed.sid);
    if (answer.kind === 'unavailable') return false;
    const now = reading.databaseClock.now();
    try {
      const id = await reading.receiveInbound(
        { ...listed, media: answer.media },
        {
          workspaceId,
          now,
          listedAt: now - (Date.now() - receivedAt.getTime()),
          requestId: reading.requestId,
          traceParent: null,
          log,
        },
      );
      if (id !== null) {
        found += 1;
        reading.metrics.inboundFound.inc();
      }
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // A message that can never be stored must not block later ones.
      log.error({ err: error, provider_sid: listed.sid }, 'failed to store an inbound message');
    }
    return true;
  }

  async function keepTurn(): Promise<void> {
    if (performance.now() - heldSince < reading.turnMs / 3) return;
    await cursors.extendTurn(turn, reading.turnMs);
    heldSince = performance.now();
  }

  return {
    read,
    get found() {
      return found;
    },
  };
}

const NO_MEDIA = { kind: 'read', media: [] } as const;
