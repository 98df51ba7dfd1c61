import type { AuditEntry } from '@switchboard/contracts';
import * as strings from '#strings/audit';
import { isolate } from '../../ui/format.ts';

/** Finds the names of the objects that an entry refers to by ID. Null if the object no longer exists. */
export interface EntryNames {
  provider(id: string): string | null;
  vendor(type: string): string;
}

type Detail = AuditEntry['detail'];

const KEYWORDS: Readonly<Record<string, string>> = {
  opt_out: 'STOP',
  opt_in: 'START',
  help: 'HELP',
  opt_out_words: strings.wordsFor('STOP'),
  opt_in_words: strings.wordsFor('START'),
  help_words: strings.wordsFor('HELP'),
};

export function textOf(detail: Detail, name: string): string | null {
  const value = detail[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

export function listOf(detail: Detail, name: string): string[] {
  const value = detail[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

export function reasonOf(detail: Detail): string | null {
  const reason = textOf(detail, 'reason');
  return reason === null ? null : strings.reason(isolate(reason));
}

export function bodyOf(detail: Detail): string | null {
  const body = textOf(detail, 'body');
  return body === null ? null : strings.text(isolate(body));
}

export function accountOf(detail: Detail, target: string, names: EntryNames) {
  const vendor = names.vendor(textOf(detail, 'type') ?? target);
  return { vendor, name: isolate(textOf(detail, 'name') ?? target) };
}

export function describeSaved(detail: Detail): (string | null)[] {
  const last4 = textOf(detail, 'secret_last4') ?? textOf(detail, 'auth_token_last4');
  const onUnknown = textOf(detail, 'on_unknown');
  return [
    last4 === null ? null : strings.secretEndsWith(isolate(last4)),
    onUnknown === null ? null : strings.onUnknown[onUnknown === 'resend' ? 'resend' : 'fail'],
    detail['enabled'] === false ? strings.switchedOff : null,
  ];
}

export function describeSender(detail: Detail, names: EntryNames): (string | null)[] {
  const label = detail['label'];
  const provider = textOf(detail, 'provider_id');
  return [
    label === '' || typeof label !== 'string' ? null : strings.senderName(isolate(label)),
    detail['is_default'] === true ? strings.defaultSender : null,
    provider === null ? null : strings.account(accountName(provider, names)),
  ];
}

const accountName = (id: string, { provider }: EntryNames): string | null => {
  const name = provider(id);
  return name === null ? null : isolate(name);
};

interface StoredRule {
  prefix: string;
  providers: { providerId: string; weight: number }[];
}

export function describeRouting(detail: Detail, names: EntryNames): string[] {
  const rules = Array.isArray(detail['rules']) ? (detail['rules'] as StoredRule[]) : [];
  const describeRule = ({ prefix, providers }: StoredRule): string => {
    const accounts = providers.map(({ providerId, weight }) => ({
      name: accountName(providerId, names),
      weight: providers.length > 1 ? weight : null,
    }));
    return prefix === ''
      ? strings.ruleForAll(accounts)
      : strings.ruleFor({ prefix: isolate(prefix), accounts });
  };
  return [
    ...(rules.length === 0 ? [strings.noRules] : rules.map(describeRule)),
    detail['failover'] === true ? strings.failoverOn : strings.failoverOff,
  ];
}

export function describeReplies(detail: Detail): string[] {
  return Object.entries(detail).map(([keyword, change]) => {
    const { from, to } = change as { from: string | null; to: string | null };
    return strings.changedReply({
      keyword: KEYWORDS[keyword] ?? keyword,
      from: from === null ? null : isolate(from),
      to: to === null ? null : isolate(to),
    });
  });
}

export function eventsOf(detail: Detail): string | null {
  const types = detail['event_types'];
  if (!Array.isArray(types)) return null;
  return types.length === 0 ? strings.allEvents : strings.events(types.join(', '));
}

export function describeEndpoint(detail: Detail): (string | null)[] {
  const [url, description] = [textOf(detail, 'url'), textOf(detail, 'description')];
  const enabled = detail['enabled'];
  return [
    url === null ? null : strings.url(isolate(url)),
    description === null ? null : strings.description(isolate(description)),
    eventsOf(detail),
    typeof enabled === 'boolean' ? (enabled ? strings.enabled : strings.disabled) : null,
  ];
}

export function overlapOf(detail: Detail): string | null {
  const seconds = detail['overlap_seconds'];
  if (typeof seconds !== 'number') return null;
  return seconds === 0
    ? strings.oldSecretEnded
    : strings.oldSecretValid(Math.round(seconds / 36) / 100);
}
