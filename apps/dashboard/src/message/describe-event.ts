import type { MessageEvent } from '@switchboard/contracts';
import { statusWord } from '../messages/status-badge.tsx';

export type EventLook = 'plain' | 'good' | 'bad' | 'wait';

/** A step of a message's life, for people. */
export function describeEvent({ type, status }: MessageEvent): { title: string; look: EventLook } {
  switch (type) {
    case 'created':
      return { title: 'Accepted', look: 'plain' };
    case 'scheduled':
      return { title: 'Scheduled', look: 'plain' };
    case 'attempt_started':
      return { title: 'Sending to the provider', look: 'plain' };
    case 'attempt_failed':
      return { title: 'Not sent. Retrying.', look: 'wait' };
    case 'outcome_unknown':
      return { title: 'Outcome unknown. Checking with the provider.', look: 'wait' };
    case 'provider_accepted':
      return { title: 'Accepted by the provider', look: 'good' };
    case 'provider_rejected':
      return { title: 'Refused by the provider', look: 'bad' };
    case 'canceled':
      return { title: 'Canceled', look: 'plain' };
    case 'received':
      return { title: 'Received', look: 'good' };
    case 'status_changed':
      return { title: statusWord(status), look: lookOf(status) };
  }
}

function lookOf(status: MessageEvent['status']): EventLook {
  if (status === 'delivered' || status === 'read' || status === 'received') return 'good';
  if (status === 'failed' || status === 'undelivered') return 'bad';
  return 'plain';
}
