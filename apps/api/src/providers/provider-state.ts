import type { Provider } from '@switchboard/contracts';
import type { StoredProvider } from '@switchboard/database';

/** Describes whether an account can send, in the fields of a response. */
export function readProviderState(
  provider: StoredProvider,
): Pick<Provider, 'status' | 'status_since' | 'status_detail'> {
  const { isEnabled, refusedSince, refusedDetail, failingSince, failingDetail } = provider;
  if (!isEnabled) return { status: 'disabled', status_since: null, status_detail: null };
  if (refusedSince !== null) {
    return {
      status: 'credentials_refused',
      status_since: refusedSince.toISOString(),
      status_detail: refusedDetail,
    };
  }
  if (failingSince !== null) {
    return {
      status: 'failing',
      status_since: failingSince.toISOString(),
      status_detail: failingDetail,
    };
  }
  return { status: 'ok', status_since: null, status_detail: null };
}
