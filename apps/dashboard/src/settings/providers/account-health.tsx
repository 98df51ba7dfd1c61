import type { ProviderAccount } from '@switchboard/contracts';
import { formatFullTime } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';

const STATES: Record<ProviderAccount['status'], { label: string; className: string }> = {
  ok: { label: 'Working', className: 'bg-good-soft text-good' },
  credentials_refused: { label: 'Credentials refused', className: 'bg-bad-soft text-bad' },
  failing: { label: 'Not responding', className: 'bg-bad-soft text-bad' },
  disabled: { label: 'Off', className: 'bg-sunken text-soft' },
};

/** The state of an account. It has a label: color alone is not accessible. */
export function AccountState({ status }: Pick<ProviderAccount, 'status'>) {
  const { label, className } = STATES[status];
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
  const since = status_since === null ? '' : ` since ${formatFullTime(status_since)}`;
  switch (status) {
    case 'ok':
      return null;
    case 'disabled':
      return (
        <Notice tone="info">
          An owner has switched this account off. It sends no messages, but still receives them.
        </Notice>
      );
    case 'credentials_refused':
      return (
        <Notice tone="bad">
          The provider refuses these credentials{since}. Nothing is sent with this account until you
          enter new ones. {status_detail}
        </Notice>
      );
    case 'failing':
      return (
        <Notice tone="bad">
          The provider has not responded{since}. Until it responds again, messages wait, or use
          another account if the routing permits it. Switchboard checks at least once a minute.{' '}
          {status_detail}
        </Notice>
      );
  }
}
