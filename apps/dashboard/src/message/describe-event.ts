import type { MessageEvent } from '@switchboard/contracts';
import { statusLabel } from '../messages/status-badge.tsx';

export type EventTone = 'plain' | 'good' | 'bad' | 'wait';

/** Describes an event of a message to the user. */
export function describeEvent({ type, status }: MessageEvent): { title: string; tone: EventTone } {
  switch (type) {
    case 'created':
      return { title: 'Accepted', tone: 'plain' };
    case 'scheduled':
      return { title: 'Scheduled', tone: 'plain' };
    case 'attempt_started':
      return { title: 'Sending to the provider', tone: 'plain' };
    case 'attempt_failed':
      return { title: 'Not sent. Retrying.', tone: 'wait' };
    case 'outcome_unknown':
      return { title: 'Outcome unknown. Checking with the provider.', tone: 'wait' };
    case 'provider_accepted':
      return { title: 'Accepted by the provider', tone: 'good' };
    case 'provider_rejected':
      return { title: 'Refused by the provider', tone: 'bad' };
    case 'canceled':
      return { title: 'Canceled', tone: 'plain' };
    case 'received':
      return { title: 'Received', tone: 'good' };
    case 'status_changed':
      return { title: statusLabel(status), tone: toneOf(status) };
  }
}

function toneOf(status: MessageEvent['status']): EventTone {
  if (status === 'delivered' || status === 'read' || status === 'received') return 'good';
  if (status === 'failed' || status === 'undelivered') return 'bad';
  return 'plain';
}
