import type { ProviderAccount } from '@switchboard/contracts';
import * as strings from '#strings/providers';
import { formatFullTime } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';

const STATES: Record<ProviderAccount['status'], { label: string; className: string }> = {
  ok: { label: strings.working, className: 'bg-good-soft text-good' },
  credentials_refused: { label: strings.credentialsRefused, className: 'bg-bad-soft text-bad' },
  failing: { label: strings.notResponding, className: 'bg-bad-soft text-bad' },
  disabled: { label: strings.off, className: 'bg-sunken text-soft' },
};

const MOST_FAIL = { label: strings.mostFail, className: 'bg-wait-soft text-wait' };

/**
 * The state of an account: whether the provider responds, and whether most of the messages with a final status failed.
 * It has a label: color alone is not accessible.
 */
export function AccountState(
  props: Pick<ProviderAccount, 'status'> & {
    lastHour?: { delivered: number; failed: number } | undefined;
  },
) {
  const { status, lastHour: { delivered, failed } = { delivered: 0, failed: 0 } } = props;
  const { label, className } = status === 'ok' && failed > delivered ? MOST_FAIL : STATES[status];
  return (
    <span
      data-account-status={status}
      className={`inline-flex items-center gap-1.5 rounded-full py-0.5 pr-2.5 pl-2 text-xs font-medium ${className}`}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {label}
    </span>
  );
}

/** Shows why and since when an account sends nothing, and what happens to its messages. */
export function AccountProblem({ status, status_since, status_detail }: ProviderAccount) {
  const since = status_since === null ? null : formatFullTime(status_since);
  switch (status) {
    case 'ok':
      return status_detail === null ? null : <Notice tone="wait">{status_detail}</Notice>;
    case 'disabled':
      return <Notice tone="info">{strings.accountIsOff}</Notice>;
    case 'credentials_refused':
      return (
        <Notice tone="bad">
          {since === null ? strings.credentialsRefusedNow : strings.credentialsRefusedSince(since)}{' '}
          {status_detail}
        </Notice>
      );
    case 'failing':
      return (
        <Notice tone="bad">
          {since === null ? strings.notRespondingNow : strings.notRespondingSince(since)}{' '}
          {status_detail}
        </Notice>
      );
  }
}
