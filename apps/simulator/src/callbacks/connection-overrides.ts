/**
 * The options that a webhook URL may set in its fragment, for example `#rc=5&rp=all`:
 * https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
 */
export interface ConnectionOverrides {
  connectTimeoutMs: number;
  readTimeoutMs: number;
  /** The timeout for all attempts together. */
  totalTimeoutMs: number;
  retries: number;
  retryOn: ReadonlySet<RetryReason>;
}

/** A response of that class, a failed connection (`ct`) or a read timeout (`rt`). */
export type RetryReason = '4xx' | '5xx' | 'ct' | 'rt';

const REASONS: readonly RetryReason[] = ['4xx', '5xx', 'ct', 'rt'];

/** Separates the URL, as it is requested and signed, from the options in its fragment. */
export function splitOverrides(webhookUrl: string): {
  url: string;
  overrides: ConnectionOverrides;
} {
  const hash = webhookUrl.indexOf('#');
  const fragment = new URLSearchParams(hash === -1 ? '' : webhookUrl.slice(hash + 1));
  const number = (name: string, min: number, max: number, byDefault: number): number => {
    const text = fragment.get(name) ?? '';
    return /^\d+$/.test(text) ? Math.min(Math.max(Number(text), min), max) : byDefault;
  };
  return {
    url: hash === -1 ? webhookUrl : webhookUrl.slice(0, hash),
    overrides: {
      connectTimeoutMs: number('ct', 100, 10_000, 5_000),
      readTimeoutMs: number('rt', 100, 15_000, 15_000),
      totalTimeoutMs: number('tt', 100, 15_000, 15_000),
      retries: number('rc', 0, 5, 1),
      retryOn: parsePolicy(fragment.get('rp')) ?? new Set(['ct']),
    },
  };
}

function parsePolicy(policy: string | null): Set<RetryReason> | null {
  if (policy === null) return null;
  const named = policy.split(',');
  return new Set(
    named.includes('all') ? REASONS : REASONS.filter((reason) => named.includes(reason)),
  );
}
