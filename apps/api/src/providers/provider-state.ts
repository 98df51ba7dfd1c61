import type { Provider } from '@switchboard/contracts';
import type { ProviderProblem, StoredProvider } from '@switchboard/database';
import { describeProblems } from './describe-problems.ts';

/** Describes whether an account can send, in the fields of a response. */
export function readProviderState(
  provider: StoredProvider,
  problems: readonly ProviderProblem[],
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
  const detail = describeProblems(problems.filter(({ providerId }) => providerId === provider.id));
  return { status: 'ok', status_since: null, status_detail: detail };
}
