import type { MessageStatus } from '@switchboard/contracts';
import * as strings from '#strings/messages';

/** Each status has a label: color alone is not accessible. */
const STATUSES: Record<MessageStatus, { label: string; className: string }> = {
  scheduled: { label: strings.scheduled, className: 'bg-wait-soft text-wait' },
  queued: { label: strings.queued, className: 'bg-wait-soft text-wait' },
  sending: { label: strings.sending, className: 'bg-wait-soft text-wait' },
  sent: { label: strings.sent, className: 'bg-progress-soft text-progress' },
  delivered: { label: strings.delivered, className: 'bg-good-soft text-good' },
  read: { label: strings.read, className: 'bg-good-soft text-good' },
  received: { label: strings.received, className: 'bg-received-soft text-received' },
  undelivered: { label: strings.undelivered, className: 'bg-bad-soft text-bad' },
  failed: { label: strings.failed, className: 'bg-bad-soft text-bad' },
  canceled: { label: strings.canceled, className: 'bg-sunken text-soft' },
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
