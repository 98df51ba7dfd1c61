import type { AuditEntry } from '@switchboard/contracts';
import { formatPhone } from '../../phone/format-phone.ts';
import { isolate, plural } from '../../ui/format.ts';

export interface EntryWords {
  /** What the actor did, to be read after the actor’s name: `removed the sender +1 415 555 0100`. */
  sentence: string;
  /** What else the entry records, each a phrase of its own. */
  details: string[];
}

/** Finds the names of what an entry refers to by id. Null if it no longer exists. */
export interface EntryNames {
  provider(id: string): string | null;
  vendor(type: string): string;
}

type Detail = AuditEntry['detail'];

const KEYWORDS: Readonly<Record<string, string>> = {
  opt_out: 'STOP',
  opt_in: 'START',
  help: 'HELP',
};

/**
 * Describes an entry of the audit trail as a sentence. Entries of earlier releases may lack
 * details.
 */
export function describeEntry(
  { action, target, detail }: Pick<AuditEntry, 'action' | 'target' | 'detail'>,
  names: EntryNames,
): EntryWords {
  const say = (sentence: string, details: (string | null)[] = []): EntryWords => ({
    sentence,
    details: details.filter((each) => each !== null),
  });
  const named = (name: string): string => isolate(textOf(detail, name) ?? target);
  const number = (): string => isolate(formatPhone(textOf(detail, 'number') ?? target));
  const role = textOf(detail, 'role') ?? 'member';

  switch (action) {
    case 'workspace.created':
      return say(`created the workspace ${named('name')}`);
    case 'workspace.renamed':
      return say(`renamed the workspace from ${named('from')} to ${named('to')}`);
    case 'member.added':
      return say(`added ${named('email')} as ${role}`);
    case 'member.invited':
      return say(`invited ${isolate(target)} as ${role}`);
    case 'invite.withdrawn':
      return say(`withdrew the invitation of ${isolate(target)}`);
    case 'member.joined':
      return say(`accepted the invitation as ${role}`);
    case 'member.role_changed':
      return say(`changed the role of ${named('email')} from ${named('from')} to ${named('to')}`);
    case 'member.removed':
      return say(`removed ${named('email')} from the workspace`);
    case 'member.left':
      return say('left the workspace');
    case 'member.password_changed':
      return say('changed their password');
    case 'api_key.created':
      return say(`created the API key ${named('name')}`);
    case 'api_key.revoked':
      return say(`revoked the API key ${named('name')}`);
    case 'provider.set':
      return say(`saved the ${describeAccount(detail, target, names)}`, describeSaved(detail));
    case 'provider.deleted':
      return say(`removed the ${describeAccount(detail, target, names)}`);
    case 'routing.set':
      return say('changed the routing', describeRouting(detail, names));
    case 'number.added':
      return say(`added the sender ${number()}`, describeSender(detail, names));
    case 'number.changed':
      return say(`changed the sender ${number()}`, describeSender(detail, names));
    case 'number.deleted':
      return say(`removed the sender ${number()}`);
    case 'opt_out.added':
      return say(`added an opt-out of ${isolate(formatPhone(target))}`, [reasonOf(detail)]);
    case 'opt_out.removed':
      return say(`removed the opt-out of ${isolate(formatPhone(target))}`, [reasonOf(detail)]);
    case 'keyword_replies.changed':
      return say('changed the replies to keywords', describeReplies(detail));
    case 'contact.merged': {
      const merged = isolate(formatPhone(textOf(detail, 'merged_number') ?? 'another number'));
      return say(`merged the contact of ${merged} into that of ${number()}`);
    }
    case 'note.edited':
      return say(`edited a note about ${isolate(formatPhone(target))}`);
    case 'note.removed': {
      const author = textOf(detail, 'author');
      const whose = author === null ? 'a former user' : isolate(author);
      return say(`removed a note of ${whose} about ${isolate(formatPhone(target))}`);
    }
    case 'webhook_endpoint.created':
      return say(`added the webhook endpoint ${named('url')}`, [eventsOf(detail)]);
    case 'webhook_endpoint.changed':
      return say('changed a webhook endpoint', describeEndpoint(detail));
    case 'webhook_endpoint.secret_rotated':
      return say('replaced the secret of a webhook endpoint', [overlapOf(detail)]);
    case 'webhook_endpoint.disabled':
      return say(`disabled the webhook endpoint ${named('url')}`, [reasonOf(detail)]);
    case 'webhook_endpoint.deleted':
      return say(`deleted the webhook endpoint ${named('url')}`);
  }
}

function textOf(detail: Detail, name: string): string | null {
  const value = detail[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

const quote = (text: string): string => `“${isolate(text)}”`;

function reasonOf(detail: Detail): string | null {
  const reason = textOf(detail, 'reason');
  return reason === null ? null : `Reason: ${isolate(reason)}`;
}

function describeAccount(detail: Detail, target: string, names: EntryNames): string {
  const type = textOf(detail, 'type');
  const vendor = type === null ? 'provider' : names.vendor(type);
  return `${vendor} account ${isolate(textOf(detail, 'name') ?? target)}`;
}

function describeSaved(detail: Detail): (string | null)[] {
  const last4 = textOf(detail, 'secret_last4') ?? textOf(detail, 'auth_token_last4');
  const onUnknown = textOf(detail, 'on_unknown');
  return [
    last4 === null ? null : `Secret ends with ${isolate(last4)}`,
    onUnknown === null
      ? null
      : `After an unknown outcome: ${onUnknown === 'resend' ? 'send once more' : 'fail'}`,
    detail['enabled'] === false ? 'Turned off' : null,
  ];
}

function describeSender(detail: Detail, names: EntryNames): (string | null)[] {
  const label = detail['label'];
  const provider = textOf(detail, 'provider_id');
  return [
    label === '' || typeof label !== 'string' ? null : `Name: ${quote(label)}`,
    detail['is_default'] === true ? 'Default sender' : null,
    provider === null ? null : `Account: ${accountName(provider, names)}`,
  ];
}

const accountName = (id: string, { provider }: EntryNames): string => {
  const name = provider(id);
  return name === null ? 'a removed account' : isolate(name);
};

interface StoredRule {
  prefix: string;
  providers: { providerId: string; weight: number }[];
}

function describeRouting(detail: Detail, names: EntryNames): string[] {
  const rules = Array.isArray(detail['rules']) ? (detail['rules'] as StoredRule[]) : [];
  const describeRule = ({ prefix, providers }: StoredRule): string => {
    const to = providers
      .map(({ providerId, weight }) => {
        const name = accountName(providerId, names);
        return providers.length > 1 ? `${name} (weight ${weight})` : name;
      })
      .join(', ');
    return `${prefix === '' ? 'All numbers' : `Numbers from ${isolate(prefix)}`}: ${to}`;
  };
  return [
    ...(rules.length === 0 ? ['No rules'] : rules.map(describeRule)),
    `Other accounts send what one could not: ${detail['failover'] === true ? 'yes' : 'no'}`,
  ];
}

function describeReplies(detail: Detail): string[] {
  return Object.entries(detail).map(([keyword, change]) => {
    const { from, to } = change as { from: string | null; to: string | null };
    const say = (text: string | null): string =>
      text === null ? 'the built-in text' : quote(text);
    return `${KEYWORDS[keyword] ?? keyword}: from ${say(from)} to ${say(to)}`;
  });
}

function eventsOf(detail: Detail): string | null {
  const types = detail['event_types'];
  if (!Array.isArray(types)) return null;
  return types.length === 0 ? 'All events' : `Events: ${types.join(', ')}`;
}

function describeEndpoint(detail: Detail): (string | null)[] {
  const [url, description] = [textOf(detail, 'url'), textOf(detail, 'description')];
  const enabled = detail['enabled'];
  return [
    url === null ? null : `URL: ${isolate(url)}`,
    description === null ? null : `Description: ${quote(description)}`,
    eventsOf(detail),
    typeof enabled === 'boolean' ? (enabled ? 'Turned on' : 'Turned off') : null,
  ];
}

function overlapOf(detail: Detail): string | null {
  const seconds = detail['overlap_seconds'];
  if (typeof seconds !== 'number') return null;
  return seconds === 0
    ? 'The old secret ended immediately'
    : `The old secret was valid for ${plural(Math.round(seconds / 36) / 100, 'more hour')}`;
}
