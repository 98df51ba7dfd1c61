import type { MessageEvent } from '@switchboard/contracts';
import * as strings from '#strings/message';
import { statusLabel } from '../messages/status-badge.tsx';
import { readProviderText } from './explain-error.ts';
import { findVendor } from '../settings/providers/vendors.ts';

export type EventTone = 'plain' | 'good' | 'bad' | 'wait';

export interface EventDescription {
  title: string;
  tone: EventTone;
  detail: string | null;
}

/** Describes an event of a message in the words of the user. */
export function describeEvent({ type, status, detail }: MessageEvent): EventDescription {
  switch (type) {
    case 'created':
      return { title: strings.accepted, tone: 'plain', detail };
    case 'scheduled':
      return { title: strings.scheduled, tone: 'plain', detail };
    case 'attempt_started':
      return { title: strings.sendingToProvider, tone: 'plain', detail: nameVendor(detail) };
    case 'attempt_failed':
      return { title: strings.notSent, tone: 'wait', detail };
    case 'outcome_unknown':
      return { title: strings.outcomeUnknown, tone: 'wait', detail };
    case 'provider_accepted':
      return { title: strings.acceptedByProvider, tone: 'good', detail };
    case 'provider_rejected':
      return { title: strings.refusedByProvider, tone: 'bad', detail: readProviderText(detail) };
    case 'canceled':
      return { title: strings.canceled, tone: 'plain', detail };
    case 'received':
      return { title: strings.received, tone: 'good', detail };
    case 'status_changed':
      return { title: statusLabel(status), tone: toneOf(status), detail };
  }
}

function toneOf(status: MessageEvent['status']): EventTone {
  if (status === 'delivered' || status === 'read' || status === 'received') return 'good';
  if (status === 'failed' || status === 'undelivered') return 'bad';
  return 'plain';
}

/** The detail of an attempt names the account, or its type if the account has no name. */
function nameVendor(detail: string | null): string | null {
  const [, attempt, account] = /^Attempt (\d+) with (.+)$/s.exec(detail ?? '') ?? [];
  if (attempt === undefined || account === undefined) return detail;
  return strings.attemptWith({ attempt, account: findVendor(account)?.name ?? account });
}
