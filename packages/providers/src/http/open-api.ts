import type { AdapterOptions } from '../adapter-options.ts';
import { createCheckedFetch } from './fetch-checked.ts';
import { createOriginClient } from './origin-client.ts';

/** More than carriers accept. */
const MEDIA_MAX_BYTES = 5 * 1024 * 1024;
const MEDIA_TIMEOUT_MS = 20_000;

/**
 * Opens the clients of an adapter: one for the provider's API, and one for received media.
 * `origin` is the origin of the provider's own API, which the operator may replace.
 *
 * @throws TypeError if the operator's replacement is not an http(s) origin
 */
export function openApi(options: AdapterOptions, provider: { name: string; origin: string }) {
  const { apiUrl, callTimeoutMs, connectTimeoutMs = 5_000, maxConnections = 64 } = options;
  const { proxy, ca } = options;
  const network = { proxy, ...(ca !== undefined && { ca }) };
  const apiOrigin = toOrigin(apiUrl ?? provider.origin, provider);
  return {
    apiOrigin,
    client: createOriginClient({
      origin: apiOrigin,
      maxConnections,
      connectTimeoutMs: Math.min(connectTimeoutMs, callTimeoutMs),
      ...network,
    }),
    fetchChecked: createCheckedFetch({
      timeoutMs: MEDIA_TIMEOUT_MS,
      maxBytes: MEDIA_MAX_BYTES,
      ...network,
    }),
  };
}

function toOrigin(apiUrl: string, { name, origin }: { name: string; origin: string }): string {
  const url = new URL(apiUrl);
  const isOrigin = url.href === `${url.origin}/` && /^https?:$/.test(url.protocol);
  if (!isOrigin) {
    throw new TypeError(
      `The URL of the ${name} API must be an http(s) origin, for example ${origin}`,
    );
  }
  return url.origin;
}
