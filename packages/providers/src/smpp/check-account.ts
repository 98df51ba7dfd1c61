import type { AccountCheck, ProbeOutcome, ProviderAccount } from '@switchboard/core';
import { STATUS } from '@switchboard/smpp';

import { bind } from './bind.ts';
import { openSettings } from './credentials.ts';
import type { OpenConnection } from './open-connection.ts';
import type { SessionPool } from './session-pool.ts';
import type { Timings } from './timings.ts';

/**
 * Sends an enquire_link over a session of the account. Any submit_sm could create a message,
 * because SMSCs differ in what they refuse.
 */
export async function probeAccount(
  pool: SessionPool,
  timings: Pick<Timings, 'enquireTimeoutMs'>,
  account: ProviderAccount,
): Promise<ProbeOutcome> {
  const found = pool.find(account);
  if ('kind' in found) {
    return { kind: found.kind === 'refused' ? 'refused' : 'failed', detail: found.detail };
  }
  const result = await found.request({ command: 'enquire_link' }, timings.enquireTimeoutMs);
  return result.type === 'response'
    ? { kind: 'answered' }
    : { kind: 'failed', detail: 'The SMSC did not respond to an enquire_link.' };
}

export interface VerifyDependencies {
  openConnection: OpenConnection;
  timings: Pick<Timings, 'bindTimeoutMs' | 'unbindTimeoutMs'>;
}

/**
 * Binds briefly as a transmitter. The SMSC delivers no messages over such a bind, and this process
 * could not store them.
 */
export async function verifyAccount(
  { openConnection, timings }: VerifyDependencies,
  account: ProviderAccount,
): Promise<AccountCheck> {
  const settings = openSettings(account);
  const check: AccountCheck = { ok: false, isRefused: false, isUnavailable: false, detail: '' };
  if (settings === null) {
    return { ...check, isRefused: true, detail: 'The credentials are malformed.' };
  }
  const outcome = await bind({
    openConnection,
    settings,
    role: 'transmitter',
    timeoutMs: timings.bindTimeoutMs,
    signal: new AbortController().signal,
    // An SMSC sends no requests over this bind that need a response.
    onRequest: () => null,
    onClose: () => undefined,
  });
  switch (outcome.kind) {
    case 'bound':
      await outcome.session.request({ command: 'unbind' }, timings.unbindTimeoutMs);
      outcome.session.destroy();
      if (outcome.session.excess !== null) {
        return { ...check, isUnavailable: true, detail: outcome.session.excess };
      }
      return { ...check, ok: true, detail: 'The SMSC accepts the system ID and the password.' };
    case 'refused':
      return { ...check, isRefused: true, detail: outcome.detail };
    case 'failed':
      return outcome.status === STATUS.ESME_RALYBND
        ? {
            ...check,
            ok: true,
            detail: 'The SMSC accepts the account, but all of its binds are in use.',
          }
        : { ...check, isUnavailable: true, detail: outcome.detail };
  }
}
