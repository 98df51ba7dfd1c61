import { createUuidV7, provesResponse } from '@switchboard/core';
import type { InboundNumber, InboundStore, InboundTurn } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { AccountMonitor } from '../account-monitor.ts';
import type { ProbeAccount } from '../probe-account.ts';
import {
  type ImportMessagesDependencies,
  WEBHOOK_MS,
  createImportMessages,
} from './import-messages.ts';

export interface ReadInboundDependencies extends ImportMessagesDependencies {
  cursors: Pick<InboundStore, 'extendTurn' | 'listNumbers' | 'recordUrl' | 'recordRead'>;
  publicUrl: string;
  probeAccount: ProbeAccount;
  monitor: Pick<AccountMonitor, 'record'>;
  logger: Logger;
}

/**
 * This many failures end a turn. A single number that cannot be read must not block the others of
 * its account.
 */
const MAX_FAILURES = 3;

/**
 * Reads the messages that the numbers of one account have received, and stores those without a
 * webhook.
 */
export function createReadInbound(dependencies: ReadInboundDependencies) {
  return async function readInbound(turn: InboundTurn): Promise<void> {
    const { cursors } = dependencies;
    const { workspaceId } = turn;
    const requestId = createUuidV7(Date.now());
    const log = dependencies.logger.child({ workspace_id: workspaceId, request_id: requestId });
    const resolved = dependencies.resolveProviderAccount(workspaceId, turn);
    if (resolved.kind === 'unusable') {
      log.warn(
        { detail: resolved.detail },
        'cannot read inbound messages: the account cannot be used',
      );
      // The longest time that `takeTurns` does not treat as set by a wrong clock.
      await cursors.extendTurn(turn, 2 * dependencies.turnMs);
      return;
    }
    const { account } = resolved;
    const { inboundList: list, webhooks } = resolved.adapter;
    if (list === null || webhooks === null) return;

    // Taken before the query, so that the range starts too early rather than too late.
    const listedAt = Date.now();
    const startedAt = dependencies.clock.monotonic();
    const all = await cursors.listNumbers(turn);
    const numbers = all.filter(({ unreadMs }) => unreadMs > WEBHOOK_MS);
    if (numbers.length === 0) return;
    const { providerId } = resolved;
    const ownUrl = webhooks.toInboundUrl(dependencies.publicUrl, { workspaceId, providerId });
    const configured = await list.findConfigured(
      account,
      // The URL that was set is still ours after a change of `PUBLIC_URL`.
      numbers.map(({ number, inboundUrl }) => ({ number, urls: [inboundUrl ?? ownUrl, ownUrl] })),
    );
    if (configured.kind === 'unavailable') {
      log.warn({ detail: configured.detail }, 'failed to list the numbers of a provider account');
      await isResponding(turn);
      return;
    }

    await recordUrls(workspaceId, numbers, configured.urls, log);
    const importer = createImportMessages({ ...dependencies, turn, list, account, requestId, log });
    let failures = 0;
    try {
      // The number that was read least recently comes first, so the next turn continues where this
      // one ends.
      for (const number of numbers) {
        if (dependencies.isStopping()) break;
        if (dependencies.clock.monotonic() - startedAt >= dependencies.turnMs) {
          // The account is due again immediately, behind the accounts that are waiting.
          await cursors.extendTurn(turn, 0);
          break;
        }
        // Messages to a number that another workspace or service receives must never be imported.
        const isRead =
          !configured.urls.has(number.number) ||
          (await importer.importAll(number, new Date(listedAt - number.unreadMs)));
        if (isRead) {
          const until = new Date(number.listedAt.getTime() - WEBHOOK_MS);
          await cursors.recordRead({
            workspaceId,
            id: number.id,
            vendorAccountId: account.vendorAccountId,
            until,
          });
          continue;
        }
        failures += 1;
        if (failures >= MAX_FAILURES || dependencies.isStopping() || !(await isResponding(turn)))
          break;
      }
    } finally {
      const { imported } = importer;
      if (imported > 0) log.warn({ imported }, 'inbound messages imported from the provider list');
    }
  };

  /** Records which numbers send their inbound messages to us, which the dashboard shows. */
  async function recordUrls(
    workspaceId: string,
    numbers: readonly InboundNumber[],
    urls: ReadonlyMap<string, string>,
    log: Logger,
  ): Promise<void> {
    for (const { id, number, inboundUrl } of numbers) {
      const url = urls.get(number) ?? null;
      if (url === inboundUrl) continue;
      await dependencies.cursors.recordUrl({ workspaceId, id, inboundUrl }, url);
      if (url === null) log.warn({ number }, 'provider sends inbound messages elsewhere');
      else log.info({ number }, 'provider sends inbound messages here again');
    }
  }

  /**
   * Records refused credentials and outages, so that no further turn is taken until they end. A
   * throttled account is read again in its next turn.
   */
  async function isResponding(turn: InboundTurn): Promise<boolean> {
    const account = { ...turn, isRefused: false, isFailing: false, isVerified: true };
    const { kind } = await dependencies.probeAccount(account);
    if (provesResponse(kind)) await dependencies.monitor.record(account, kind, '');
    return kind === 'answered';
  }
}
