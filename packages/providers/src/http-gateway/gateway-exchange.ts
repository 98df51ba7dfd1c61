import type { AdapterOptions } from '../adapter-options.ts';
import { createCheckedConnector } from '../http/checked-connector.ts';
import {
  type HttpOutcome,
  type HttpRequest,
  type OriginClient,
  createOriginClient,
} from '../http/origin-client.ts';
import { isPublicAddress } from '../http/public-address.ts';
import { createResolveAllowed } from '../http/resolve-allowed.ts';

/** Makes one request to a gateway within the adapter's timeout. Never rejects. */
export type GatewayExchange = (
  origin: string,
  request: HttpRequest,
  mayWrite?: () => boolean,
) => Promise<HttpOutcome>;

/** A gateway answers with short JSON. */
const MAX_RESPONSE_BYTES = 64 * 1_024;
/** Connections close by themselves when idle, so a further origin costs only the memory of its client. */
const MAX_ORIGINS = 500;

/**
 * Creates the connections to all gateways. Their addresses are checked, because owners enter them.
 */
export function createGatewayExchange(
  options: AdapterOptions & Pick<Parameters<typeof createResolveAllowed>[0], 'lookup'>,
) {
  const { callTimeoutMs, connectTimeoutMs = 5_000, maxConnections = 64 } = options;
  const { ca, proxy, lookup } = options;
  const rules = {
    isAllowed: options.isAllowedAddress ?? isPublicAddress,
    allowed: 'a public internet address or one in PROVIDER_PRIVATE_NETWORKS',
  };
  const connector = createCheckedConnector({
    ...rules,
    timeoutMs: Math.min(connectTimeoutMs, callTimeoutMs),
    ca,
    proxy,
    resolve: createResolveAllowed({ ...rules, ...(lookup !== undefined && { lookup }) }),
  });
  // A map keeps the order of insertion: the first client is the one that was used least recently.
  const clients = new Map<string, OriginClient>();
  const closing = new Set<Promise<void>>();
  let isClosed = false;

  function close(client: OriginClient): void {
    const closed = client.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  function open(origin: string): OriginClient {
    const client =
      clients.get(origin) ??
      createOriginClient({
        origin,
        maxConnections,
        connectTimeoutMs,
        connector,
        maxResponseBytes: MAX_RESPONSE_BYTES,
      });
    clients.delete(origin);
    clients.set(origin, client);
    for (const [oldest, unused] of clients) {
      if (clients.size <= MAX_ORIGINS) break;
      clients.delete(oldest);
      close(unused);
    }
    return client;
  }

  const exchange: GatewayExchange = async (origin, request, mayWrite = () => true) => {
    if (isClosed) {
      return { kind: 'not_written', reason: 'unreachable', detail: 'The adapter is closed.' };
    }
    return open(origin).exchange(request, { timeoutMs: callTimeoutMs, mayWrite });
  };

  return {
    exchange,
    async close(): Promise<void> {
      isClosed = true;
      for (const client of clients.values()) close(client);
      clients.clear();
      await Promise.all(closing);
    },
  };
}
