import type { MessageEvent } from '@switchboard/contracts';
import * as strings from '#strings/message';
import { statusLabel } from '../messages/status-badge.tsx';

export type EventTone = 'plain' | 'good' | 'bad' | 'wait';

/** Describes an event of a message to the user. */
export function describeEvent({ type, status }: MessageEvent): { title: string; tone: EventTone } {
  switch (type) {
    case 'created':
      return { title: strings.accepted, tone: 'plain' };
    case 'scheduled':
      return { title: strings.scheduled, tone: 'plain' };
    case 'attempt_started':
      return { title: strings.sendingToProvider, tone: 'plain' };
    case 'attempt_failed':
      return { title: strings.notSent, tone: 'wait' };
    case 'outcome_unknown':
      return { title: strings.outcomeUnknown, tone: 'wait' };
    case 'provider_accepted':
      return { title: strings.acceptedByProvider, tone: 'good' };
    case 'provider_rejected':
      return { title: strings.refusedByProvider, tone: 'bad' };
    case 'canceled':
      return { title: strings.canceled, tone: 'plain' };
    case 'received':
      return { title: strings.received, tone: 'good' };
    case 'status_changed':
      return { title: statusLabel(status), tone: toneOf(status) };
  }
}

function toneOf(status: MessageEvent['status']): EventTone {
  if (status === 'delivered' || status === 'read' || status === 'received') return 'good';
  if (status === 'failed' || status === 'undelivered') return 'bad';
  return 'plain';
}
