import { createRequire } from 'node:module';
import type { ProviderAccount } from '@switchboard/core';
import type twilio from 'twilio';

import type { HttpOutcome, OriginClient } from '../http/origin-client.ts';

/** One operation on an account: Twilio's own client and the outcome of its last request. */
export interface OpenAccount {
  client: twilio.Twilio;
  /** Returns null while no request has been attempted. */
  lastOutcome(): HttpOutcome | null;
}

/**
 * Opens an account for one operation. All its requests together end within the adapter's timeout.
 */
export type AccountOpener = (account: ProviderAccount, mayWrite?: () => boolean) => OpenAccount;

/** A request that received no response; `outcome` says whether it was written. */
class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  readonly code: HttpOutcome['kind'];

  constructor(outcome: Exclude<HttpOutcome, { kind: 'answered' }>) {
    super(outcome.detail);
    this.code = outcome.kind;
  }
}

const require = createRequire(import.meta.url);

/**
 * Loads Twilio's client at the first call of a process: it takes 0.2 s of CPU time, and most
 * processes of the API call no provider soon after their start.
 */
function loadTwilio(): typeof twilio {
  return require('twilio') as typeof twilio;
}

/**
 * Creates the opener. A client per operation costs 5 µs and holds the lease check, the deadline and the
 * outcome of its operation, which a shared client would have to find elsewhere. The opener throws if the
 * account SID or the auth token is malformed (the client's own check).
 */
export function createAccountOpener(origin: OriginClient, callTimeoutMs: number): AccountOpener {
  return (account, mayWrite = () => true) => {
    const endsAt = performance.now() + callTimeoutMs;
    let last: HttpOutcome | null = null;

    async function request(options: RequestOptions) {
      const timeoutMs = Math.max(Math.ceil(endsAt - performance.now()), 0);
      last = await origin.exchange(toHttpRequest(options), { timeoutMs, mayWrite });
      if (last.kind !== 'answered') throw new NoResponseError(last);
      return { statusCode: last.status, body: last.body, headers: last.headers };
    }

    // The client only ever calls `request`. The class that its type names would build an HTTP agent
    // and an axios instance each time.
    const httpClient = { request } as unknown as twilio.RequestClient;
    const client = loadTwilio()(account.vendorAccountId, account.secret, {
      httpClient,
      autoRetry: false,
    });
    return { client, lastOutcome: () => last };
  };
}

type RequestOptions = Parameters<twilio.RequestClient['request']>[0];

/** Omits the host on purpose: every request goes to the configured origin. */
function toHttpRequest(options: RequestOptions) {
  const { pathname, search } = new URL(options.uri);
  const query = options.params === undefined ? '' : encodeForm(options.params);
  return {
    method: options.method.toUpperCase() as 'GET' | 'POST' | 'DELETE',
    path: query === '' ? pathname + search : `${pathname}?${query}`,
    headers: {
      ...(options.headers as Record<string, string>),
      authorization: formatBasic(options.username, options.password),
    },
    body: options.data == null ? null : encodeForm(options.data),
  };
}

/** Returns the value of an `Authorization` header. */
export function formatBasic(username = '', password = ''): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Encodes a list as a repeated field, as Twilio expects it. */
export function encodeForm(fields: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, String(item));
  }
  return form.toString();
}
