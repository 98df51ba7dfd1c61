import type { FastifyBaseLogger } from 'fastify';
import type { OpenProvider } from '../open-provider.ts';

export type WireInbound = (
  workspaceId: string,
  number: string,
  log: FastifyBaseLogger,
) => Promise<boolean>;

/**
 * Has the provider send us what a number receives; true when it does from now on. Never throws:
 * the number is stored, and sends without it.
 */
export function createWireInbound(dependencies: {
  openProvider: OpenProvider;
  publicUrl: string;
}): WireInbound {
  const { openProvider, publicUrl } = dependencies;

  return async function wireInbound(workspaceId, number, log) {
    try {
      const opened = await openProvider(workspaceId);
      if (opened === null) return false;
      const { adapter, account } = opened;
      const url = `${publicUrl}/api/webhooks/${adapter.type}/${workspaceId}/inbound`;
      const result = await adapter.wireInbound(account, number, url);
      if (result === 'unavailable') log.warn({ number }, 'the provider could not wire a number');
      return result === 'wired';
    } catch (error) {
      log.error({ err: error, number }, 'a number was added, but could not be wired');
      return false;
    }
  };
}
