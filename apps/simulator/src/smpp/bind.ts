import { STATUS } from '@switchboard/smpp';
import { createSmppAccount } from '../accounts/vendor-account.ts';
import type { VendorAccountStore } from '../accounts/vendor-account-store.ts';
import type { Journal } from '../ledger/journal.ts';

export type Bind = (
  systemId: string,
  password: string,
) => Promise<{ ok: true; release(): void } | { ok: false; status: number }>;

/**
 * Checks the credentials of a bind, and counts the binds of each account. The first bind with an
 * unused `system_id` creates its account.
 */
export function createBind(accounts: VendorAccountStore, journal: Journal): Bind {
  const counts = new Map<string, number>();

  return async function bind(systemId, password) {
    if (systemId === '') return { ok: false, status: STATUS.ESME_RINVSYSID };
    const known = accounts.find(systemId);
    if (known !== null && known.provider !== 'smpp') {
      return { ok: false, status: STATUS.ESME_RINVSYSID };
    }
    if (known === null) await accounts.put(journal, createSmppAccount({ id: systemId, password }));
    else if (known.secret !== password) return { ok: false, status: STATUS.ESME_RINVPASWD };
    const count = counts.get(systemId) ?? 0;
    if (count >= (known?.maxBinds ?? Infinity)) return { ok: false, status: STATUS.ESME_RBINDFAIL };
    counts.set(systemId, count + 1);
    return {
      ok: true,
      release: () => void counts.set(systemId, (counts.get(systemId) ?? 1) - 1),
    };
  };
}
