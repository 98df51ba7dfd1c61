import { AppError, type AccountCheck, type Clock } from '@switchboard/core';
import type { OpenedProvider } from '../open-provider.ts';
import type { VerifyCredentials } from '../verify-credentials.ts';

export type RequireVerifiedAccount = (opened: OpenedProvider) => Promise<boolean>;

interface Verification {
  check: Promise<AccountCheck>;
  /** The monotonic time from which the account may be verified again. */
  repeatAt: number;
}

const REFUSED_FOR_MS = 60_000;
const UNANSWERED_FOR_MS = 2_000;
const REMEMBERED_MAX = 1_000;

/**
 * Requires that the provider has accepted the credentials. Without this check, any user could
 * configure the account of another with an invented token and sign webhooks with it.
 *
 * Webhooks may arrive before the first accepted call, so an unverified account is verified at the
 * provider, at most once a minute after a refusal.
 *
 * @throws AppError `service_unavailable` when the account cannot be verified, so that the provider
 * retries the webhook
 */
export function createRequireVerifiedAccount(
  verifyCredentials: VerifyCredentials,
  clock: Pick<Clock, 'monotonic'>,
): RequireVerifiedAccount {
  // Keyed by the sealed token, which is different for every set of credentials.
  const verifications = new Map<string, Verification>();

  async function verify(opened: OpenedProvider): Promise<AccountCheck> {
    const key = opened.provider.sealedSecret;
    const known = verifications.get(key);
    if (known !== undefined && clock.monotonic() < known.repeatAt) return known.check;
    const entry: Verification = { check: verifyCredentials(opened), repeatAt: Infinity };
    verifications.delete(key);
    verifications.set(key, entry);
    for (const oldest of verifications.keys()) {
      if (verifications.size <= REMEMBERED_MAX) break;
      verifications.delete(oldest);
    }
    try {
      const result = await entry.check;
      const waitMs = result.isRefused ? REFUSED_FOR_MS : UNANSWERED_FOR_MS;
      entry.repeatAt = clock.monotonic() + waitMs;
      return result;
    } catch (error) {
      verifications.delete(key);
      throw error;
    }
  }

  return async function requireVerifiedAccount(opened) {
    if (opened.provider.isVerified) return true;
    const { ok, isRefused } = await verify(opened);
    if (!ok && !isRefused) {
      throw new AppError('service_unavailable', 'The provider could not confirm the account', {
        retryAfterSeconds: UNANSWERED_FOR_MS / 1_000,
      });
    }
    return ok;
  };
}
