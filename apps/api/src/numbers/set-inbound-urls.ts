import type { AccountAddress, InboundResult } from '@switchboard/core';
import type { PhoneNumberStore, StoredPhoneNumber } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { FastifyBaseLogger } from 'fastify';
import type { OpenProvider, OpenedProvider } from '../open-provider.ts';
import type { VerifyCredentials } from '../verify-credentials.ts';

/**
 * Configures the provider to deliver inbound messages for numbers to us. Never throws, because
 * numbers can send without it.
 */
export interface InboundUrls {
  /** Whether the provider has exactly the URL to which inbound messages for the number must go. */
  isSet(address: AccountAddress, number: Pick<StoredPhoneNumber, 'inboundUrl'>): boolean;
  /** Configures one number. */
  set(
    workspaceId: string,
    number: StoredPhoneNumber,
    log: FastifyBaseLogger,
  ): Promise<InboundConfiguration>;
  /**
   * If the provider accepts the credentials, configures all remaining numbers of an account in the
   * background, by default those of the default account.
   */
  setAllLater(workspaceId: string, log: FastifyBaseLogger, providerId?: string): void;
  /** Starts no more work and waits for work in progress. */
  close(): Promise<void>;
}

export interface InboundConfiguration {
  /** `no_account`: the number has no provider account that this version can use. */
  result: InboundResult | 'no_account';
  /**
   * The URL that the provider must have; null without an account, and if the provider calls no
   * webhooks.
   */
  url: string | null;
}

const CONCURRENCY = 4;

export function createInboundUrls(dependencies: {
  phoneNumbers: Pick<PhoneNumberStore, 'listWithoutInboundUrl' | 'recordInbound'>;
  registry: Pick<ProviderRegistry, 'adapters'>;
  openProvider: OpenProvider;
  verifyCredentials: VerifyCredentials;
  publicUrl: string;
}): InboundUrls {
  const { phoneNumbers, registry, openProvider, verifyCredentials, publicUrl } = dependencies;
  const inFlight = new Map<string, { again: boolean; done: Promise<void> }>();
  let isClosing = false;

  const urlOf = ({ adapter, provider }: OpenedProvider): string | null =>
    adapter.webhooks?.toInboundUrl(publicUrl, {
      workspaceId: provider.workspaceId,
      providerId: provider.id,
    }) ?? null;

  async function setOne(
    workspaceId: string,
    { id, number }: StoredPhoneNumber,
    opened: OpenedProvider,
    log: FastifyBaseLogger,
  ): Promise<InboundConfiguration> {
    const { adapter, account } = opened;
    const url = urlOf(opened);
    try {
      const result =
        url === null || adapter.configureInbound === null
          ? 'manual'
          : await adapter.configureInbound(account, number, url);
      if (result === 'unavailable') {
        log.warn({ number }, 'provider failed to configure inbound messages for a number');
        return { result, url };
      }
      const of = { workspaceId, id, vendorAccountId: account.vendorAccountId };
      await phoneNumbers.recordInbound(of, result === 'configured' ? url : null);
      return { result, url };
    } catch (error) {
      log.error({ err: error, number }, 'failed to configure inbound messages for a number');
      return { result: 'unavailable', url };
    }
  }

  async function setAll(
    workspaceId: string,
    log: FastifyBaseLogger,
    providerId: string | undefined,
  ): Promise<void> {
    const opened = await openProvider(workspaceId, providerId);
    if (opened === null) return;
    const url = urlOf(opened) ?? '';
    const waiting = await phoneNumbers.listWithoutInboundUrl(opened.provider, url);
    if (waiting.length === 0 && opened.provider.isVerified) return;
    const { ok, detail } = await verifyCredentials(opened);
    if (!ok) {
      log.warn({ detail }, 'inbound messages not configured: the provider refuses the credentials');
      return;
    }
    async function setNext(): Promise<void> {
      const number = isClosing ? undefined : waiting.shift();
      if (number === undefined) return;
      await setOne(workspaceId, number, opened as OpenedProvider, log);
      return setNext();
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, setNext));
  }

  return {
    isSet: (address, { inboundUrl }) =>
      registry.adapters.some(
        (adapter) => inboundUrl === adapter.webhooks?.toInboundUrl(publicUrl, address),
      ),

    async set(workspaceId, number, log) {
      try {
        const opened = await openProvider(workspaceId, number.providerId ?? undefined);
        if (opened === null) return { result: 'no_account', url: null };
        return await setOne(workspaceId, number, opened, log);
      } catch (error) {
        log.error({ err: error }, 'failed to open the account of a number');
        return { result: 'no_account', url: null };
      }
    },

    setAllLater(workspaceId, log, providerId) {
      const key = providerId ?? workspaceId;
      const running = inFlight.get(key);
      if (running !== undefined) {
        running.again = true;
        return;
      }
      const work = { again: true, done: Promise.resolve() };
      inFlight.set(key, work);
      work.done = (async () => {
        try {
          while (work.again && !isClosing) {
            work.again = false;
            await setAll(workspaceId, log, providerId);
          }
        } catch (error) {
          log.error({ err: error }, 'failed to configure inbound messages for a workspace');
        } finally {
          inFlight.delete(key);
        }
      })();
    },

    async close() {
      isClosing = true;
      await Promise.all([...inFlight.values()].map(({ done }) => done));
    },
  };
}
