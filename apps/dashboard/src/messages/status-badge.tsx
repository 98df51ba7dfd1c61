import type { MessageStatus } from '@switchboard/contracts';

/** Never by colour alone: the word is there, and the colour only groups the words. */
const LOOKS: Record<MessageStatus, { word: string; className: string }> = {
  scheduled: { word: 'Scheduled', className: 'bg-wait-soft text-wait' },
  queued: { word: 'Queued', className: 'bg-wait-soft text-wait' },
  sending: { word: 'Sending', className: 'bg-wait-soft text-wait' },
  sent: { word: 'Sent', className: 'bg-way-soft text-way' },
  delivered: { word: 'Delivered', className: 'bg-good-soft text-good' },
  read: { word: 'Read', className: 'bg-good-soft text-good' },
  received: { word: 'Received', className: 'bg-came-soft text-came' },
  undelivered: { word: 'Undelivered', className: 'bg-bad-soft text-bad' },
  failed: { word: 'Failed', className: 'bg-bad-soft text-bad' },
  canceled: { word: 'Canceled', className: 'bg-sunken text-soft' },
};

export const statusWord = (status: MessageStatus): string => LOOKS[status].word;

export function StatusBadge({ status }: { status: MessageStatus }) {
  const { word, className } = LOOKS[status];
  return (
    <span
      data-status={status}
      className={`inline-flex items-center gap-1.5 rounded-full py-0.5 pr-2.5 pl-2 text-xs font-medium ${className}`}
    >
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {word}
    </span>
  );
}
