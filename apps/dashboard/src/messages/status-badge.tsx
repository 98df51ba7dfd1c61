import type { MessageStatus } from '@switchboard/contracts';

/** Each status has a label: color alone is not accessible. */
const STATUSES: Record<MessageStatus, { label: string; className: string }> = {
  scheduled: { label: 'Scheduled', className: 'bg-wait-soft text-wait' },
  queued: { label: 'Queued', className: 'bg-wait-soft text-wait' },
  sending: { label: 'Sending', className: 'bg-wait-soft text-wait' },
  sent: { label: 'Sent', className: 'bg-progress-soft text-progress' },
  delivered: { label: 'Delivered', className: 'bg-good-soft text-good' },
  read: { label: 'Read', className: 'bg-good-soft text-good' },
  received: { label: 'Received', className: 'bg-received-soft text-received' },
  undelivered: { label: 'Undelivered', className: 'bg-bad-soft text-bad' },
  failed: { label: 'Failed', className: 'bg-bad-soft text-bad' },
  canceled: { label: 'Canceled', className: 'bg-sunken text-soft' },
};

export const statusLabel = (status: MessageStatus): string => STATUSES[status].label;

export function StatusBadge({ status }: { status: MessageStatus }) {
  const { label, className } = STATUSES[status];
  return (
    <span
      data-status={status}
      className={`inline-flex items-center gap-1.5 rounded-full py-0.5 pr-2.5 pl-2 text-xs font-medium ${className}`}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {label}
    </span>
  );
}
