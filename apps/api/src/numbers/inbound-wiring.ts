import type { PhoneNumberStore, StoredPhoneNumber } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { FastifyBaseLogger } from 'fastify';
import type { OpenProvider, OpenedProvider } from '../open-provider.ts';
import type { VerifyCredentials } from '../verify-credentials.ts';

/**
 * Configures the provider to deliver inbound messages of numbers to us. Never throws, because
 * numbers can send without it.
 */
export interface InboundWiring {
  /** Whether the provider holds exactly the URL that inbound messages of the number must go to. */
  isWired(workspaceId: string, number: Pick<StoredPhoneNumber, 'inboundUrl'>): boolean;
  /**
   * Configures one number; returns true if its inbound messages are delivered to us from now on.
   */
  wire(workspaceId: string, number: StoredPhoneNumber, log: FastifyBaseLogger): Promise<boolean>;
  /** Configures all remaining numbers in the background, if the provider accepts the credentials. */
  wireAllLater(workspaceId: string, log: FastifyBaseLogger): void;
  /** Starts no more work and waits for work in progress. */
  close(): Promise<void>;
}

const AT_ONCE = 4;

export function createInboundWiring(dependencies: {
  phoneNumbers: Pick<PhoneNumberStore, 'listUnwired' | 'recordInbound'>;
  registry: Pick<ProviderRegistry, 'adapters'>;
  openProvider: OpenProvider;
  verifyCredentials: VerifyCredentials;
  publicUrl: string;
}): InboundWiring {
  const { phoneNumbers, registry, openProvider, verifyCredentials, publicUrl } = dependencies;
  const underWay = new Map<string, { again: boolean; done: Promise<void> }>();
  let isClosing = false;

  async function wireOne(
    workspaceId: string,
    { id, number }: StoredPhoneNumber,
    opened: OpenedProvider,
    log: FastifyBaseLogger,
  ): Promise<boolean> {
    const { adapter, account } = opened;
    const url = adapter.toInboundUrl(publicUrl, workspaceId);
    try {
      const result = await adapter.configureInbound(account, number, url);
      if (result === 'unavailable') {
        log.warn({ number }, 'provider failed to configure inbound messages of a number');
        return false;
      }
      const isWired = result === 'configured';
      const of = { workspaceId, id, account: account.id };
      await phoneNumbers.recordInbound(of, isWired ? url : null);
      return isWired;
    } catch (error) {
      log.error({ err: error, number }, 'failed to configure inbound messages of a number');
      return false;
    }
  }

  async function wireAll(workspaceId: string, log: FastifyBaseLogger): Promise<void> {
    const opened = await openProvider(workspaceId);
    if (opened === null) return;
    const url = opened.adapter.toInboundUrl(publicUrl, workspaceId);
    const waiting = await phoneNumbers.listUnwired(workspaceId, url);
    if (waiting.length === 0 && opened.provider.isVerified) return;
    const { ok, detail } = await verifyCredentials(opened);
    if (!ok) {
      log.warn({ detail }, 'inbound messages not configured: the provider refuses the credentials');
      return;
    }
    async function wireNext(): Promise<void> {
      const number = isClosing ? undefined : waiting.shift();
      if (number === undefined) return;
      await wireOne(workspaceId, number, opened as OpenedProvider, log);
      return wireNext();
    }
    await Promise.all(Array.from({ length: AT_ONCE }, wireNext));
  }

  return {
    isWired: (workspaceId, { inboundUrl }) =>
      registry.adapters.some(
        (adapter) => inboundUrl === adapter.toInboundUrl(publicUrl, workspaceId),
      ),

    async wire(workspaceId, number, log) {
      try {
        const opened = await openProvider(workspaceId);
        return opened !== null && (await wireOne(workspaceId, number, opened, log));
      } catch (error) {
        log.error({ err: error }, 'added a number, but failed to configure its inbound messages');
        return false;
      }
    },

    wireAllLater(workspaceId, log) {
      const present = underWay.get(workspaceId);
      if (present !== undefined) {
        present.again = true;
        return;
      }
      const wiring = { again: true, done: Promise.resolve() };
      underWay.set(workspaceId, wiring);
      wiring.done = (async () => {
        try {
          while (wiring.again && !isClosing) {
            wiring.again = false;
            await wireAll(workspaceId, log);
          }
        } catch (error) {
          log.error({ err: error }, 'failed to configure inbound messages of a workspace');
        } finally {
          underWay.delete(workspaceId);
        }
      })();
    },

    async close() {
      isClosing = true;
      await Promise.all([...underWay.values()].map(({ done }) => done));
    },
  };
}
