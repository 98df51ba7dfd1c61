import { AppError, type AccountCheck, type Clock } from '@switchboard/core';
import type { OpenedProvider } from '../open-provider.ts';
import type { VerifyCredentials } from '../verify-credentials.ts';

export type RequireVerifiedAccount = (opened: OpenedProvider) => Promise<boolean>;

interface Asked {
  check: Promise<AccountCheck>;
  /** When the account may be verified again. */
  askAgainAt: number;
}

const REFUSED_FOR_MS = 60_000;
const UNANSWERED_FOR_MS = 2_000;
const MOST_REMEMBERED = 1_000;

/**
 * Requires that the provider has accepted the credentials. Without this check, any user could
 * configure the account of another with an invented token and sign webhooks with it.
 *
 * Webhooks may arrive before the first accepted call, so an unverified account is verified at the
 * provider, at most once a minute after a refusal.
 *
 * @throws AppError `service_unavailable` when the provider cannot be reached, so that it retries.
 */
export function createRequireVerifiedAccount(
  verifyCredentials: VerifyCredentials,
  clock: Pick<Clock, 'monotonic'>,
): RequireVerifiedAccount {
  // Keyed by the sealed token, which is different for every set of credentials.
  const asked = new Map<string, Asked>();

  async function ask(opened: OpenedProvider): Promise<AccountCheck> {
    const key = opened.provider.sealedSecret;
    const known = asked.get(key);
    if (known !== undefined && clock.monotonic() < known.askAgainAt) return known.check;
    const entry: Asked = { check: verifyCredentials(opened), askAgainAt: Infinity };
    asked.delete(key);
    asked.set(key, entry);
    for (const oldest of asked.keys()) {
      if (asked.size <= MOST_REMEMBERED) break;
      asked.delete(oldest);
    }
    try {
      const result = await entry.check;
      const waitMs = result.isRefused ? REFUSED_FOR_MS : UNANSWERED_FOR_MS;
      entry.askAgainAt = clock.monotonic() + waitMs;
      return result;
    } catch (error) {
      asked.delete(key);
      throw error;
    }
  }

  return async function requireVerifiedAccount(opened) {
    if (opened.provider.isVerified) return true;
    const { ok, isRefused } = await ask(opened);
    if (!ok && !isRefused) {
      throw new AppError('service_unavailable', 'The provider could not confirm the account', {
        retryAfterSeconds: UNANSWERED_FOR_MS / 1_000,
      });
    }
    return ok;
  };
}
