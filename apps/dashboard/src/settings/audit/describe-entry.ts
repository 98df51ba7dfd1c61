import type { AuditEntry } from '@switchboard/contracts';
import type { ReactNode } from 'react';
import * as strings from '#strings/audit';
import * as factor from '#strings/second-factor';
import * as signOn from '#strings/audit-sign-on';
import { formatPhone } from '../../phone/format-phone.ts';
import { formatFullTime, isolate } from '../../ui/format.ts';
import { nameRegion } from '../../ui/region-name.ts';

export interface EntryText {
  /** What the actor did. */
  sentence: ReactNode;
  /** What else the entry records, each as a separate phrase. */
  details: string[];
}

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

/** Describes an entry of the audit trail as a sentence. */
export function describeEntry(
  { action, target, detail }: Pick<AuditEntry, 'action' | 'target' | 'detail'>,
  names: EntryNames,
  who: ReactNode,
): EntryText {
  const say = (sentence: ReactNode, details: (string | null)[] = []): EntryText => ({
    sentence,
    details: details.filter((each) => each !== null),
  });
  const named = (name: string): string => isolate(textOf(detail, name) ?? target);
  const number = (): string => isolate(formatPhone(textOf(detail, 'number') ?? target));
  const role = textOf(detail, 'role') ?? 'member';
  const keyTime = (name: string, describe: (time: string) => string): string | null => {
    const at = textOf(detail, name);
    return at === null ? null : describe(formatFullTime(at));
  };
  const from = (): string | null => {
    const address = textOf(detail, 'address');
    return address === null ? null : strings.fromAddress(address);
  };

  switch (action) {
    case 'workspace.created':
      return say(strings.createdWorkspace({ who, name: named('name') }));
    case 'workspace.renamed':
      return say(strings.renamedWorkspace({ who, from: named('from'), to: named('to') }));
    case 'workspace.country_changed': {
      const country = textOf(detail, 'to');
      return say(
        country === null
          ? strings.removedCountry(who)
          : strings.setCountry({ who, country: nameRegion(country) }),
      );
    }
    case 'workspace.second_factor_rule_changed':
      return say(factor.changedFactorRule({ who, required: detail['required'] === true }));
    case 'member.added':
      return say(strings.addedMember({ who, email: named('email'), role }));
    case 'member.invited':
      return say(strings.invitedMember({ who, email: isolate(target), role }));
    case 'invite.withdrawn':
      return say(strings.withdrewInvitation({ who, email: isolate(target) }));
    case 'member.joined':
      return say(
        textOf(detail, 'via') === 'single_sign_on'
          ? signOn.joinedByGroup({ who, role })
          : strings.acceptedInvitation({ who, role }),
      );
    case 'member.role_changed':
      return say(
        strings.changedRole({
          who,
          email: named('email'),
          from: textOf(detail, 'from') ?? target,
          to: textOf(detail, 'to') ?? target,
        }),
      );
    case 'member.removed':
      return say(strings.removedMember({ who, email: named('email') }));
    case 'member.left':
      return say(strings.leftWorkspace({ who }));
    case 'member.password_reset':
      return say(
        strings.resetPassword({ who, byOperator: textOf(detail, 'link') === 'operator' }),
        [from()],
      );
    case 'member.reset_link_created':
      return say(strings.createdResetLink({ who, email: named('email') }));
    case 'member.identity_connected':
      return say(
        signOn.connectedIdentity({ who, issuer: isolate(textOf(detail, 'issuer') ?? '') }),
        [detail['password_removed'] === true ? signOn.removedPassword : null, from()],
      );
    case 'member.identity_disconnected':
      return say(signOn.disconnectedIdentity({ who }), [from()]);
    case 'member.sign_in_link_created':
      return say(signOn.createdSignInLink({ who, email: named('email') }));
    case 'member.sign_in_link_used':
      return say(signOn.usedSignInLink({ who }), [from()]);
    case 'member.email_change_requested':
      return say(strings.requestedEmailChange({ who, from: named('from'), to: named('to') }), [
        from(),
      ]);
    case 'member.email_changed':
      return say(strings.changedEmail({ who, from: named('from'), to: named('to') }), [from()]);
    case 'member.second_factor_enabled':
      return say(factor.enabledSecondFactor({ who }), [from()]);
    case 'member.second_factor_disabled':
      return say(factor.disabledSecondFactor({ who }), [from()]);
    case 'member.second_factor_removed':
      return say(factor.removedSecondFactor({ who, email: named('email') }));
    case 'member.recovery_codes_created':
      return say(factor.createdRecoveryCodes({ who }), [from()]);
    case 'member.recovery_code_used':
      return say(factor.usedRecoveryCode({ who }), [from()]);
    case 'member.password_changed':
      return say(strings.changedPassword({ who }), [from()]);
    case 'api_key.created':
      return say(strings.createdKey({ who, name: named('name') }), [
        ...listOf(detail, 'scopes').map(strings.keyScope),
        ...listOf(detail, 'allowed_ips').map(strings.keyAddress),
        keyTime('expires_at', strings.keyExpires),
      ]);
    case 'api_key.rotated':
      return say(strings.rotatedKey({ who, name: named('name') }), [
        keyTime('previous_ends_at', strings.earlierSecretsEnd),
        keyTime('expires_at', strings.keyExpires),
      ]);
    case 'api_key.revoked':
      return say(strings.revokedKey({ who, name: named('name') }));
    case 'provider.set':
      return say(
        strings.savedAccount({ who, ...accountOf(detail, target, names) }),
        describeSaved(detail),
      );
    case 'provider.deleted':
      return say(strings.removedAccount({ who, ...accountOf(detail, target, names) }));
    case 'routing.set':
      return say(strings.changedRouting({ who }), describeRouting(detail, names));
    case 'number.added':
      return say(strings.addedSender({ who, number: number() }), describeSender(detail, names));
    case 'number.changed':
      return say(strings.changedSender({ who, number: number() }), describeSender(detail, names));
    case 'number.deleted':
      return say(strings.removedSender({ who, number: number() }));
    case 'opt_out.added':
      return say(strings.addedOptOut({ who, number: isolate(formatPhone(target)) }), [
        reasonOf(detail),
      ]);
    case 'opt_out.removed':
      return say(strings.removedOptOut({ who, number: isolate(formatPhone(target)) }), [
        reasonOf(detail),
      ]);
    case 'keyword_replies.changed':
      return say(strings.changedReplies({ who }), describeReplies(detail));
    case 'saved_reply.added':
      return say(strings.addedSavedReply({ who, name: named('name') }), [bodyOf(detail)]);
    case 'saved_reply.changed':
      return say(strings.changedSavedReply({ who, name: named('name') }), [bodyOf(detail)]);
    case 'saved_reply.removed':
      return say(strings.removedSavedReply({ who, name: named('name') }), [bodyOf(detail)]);
    case 'contact.merged': {
      const other = textOf(detail, 'merged_number');
      const merged = other === null ? null : isolate(formatPhone(other));
      return say(strings.mergedContact({ who, merged, number: number() }));
    }
    case 'person.erase_requested':
      return say(strings.requestedErasure({ who }));
    case 'note.edited':
      return say(strings.editedNote({ who, number: isolate(formatPhone(target)) }));
    case 'note.removed': {
      const name = textOf(detail, 'author');
      const author = name === null ? null : isolate(name);
      return say(strings.removedNote({ who, author, number: isolate(formatPhone(target)) }));
    }
    case 'webhook_endpoint.created':
      return say(strings.addedEndpoint({ who, url: named('url') }), [eventsOf(detail)]);
    case 'webhook_endpoint.changed':
      return say(strings.changedEndpoint({ who }), describeEndpoint(detail));
    case 'webhook_endpoint.secret_rotated':
      return say(strings.replacedSecret({ who }), [overlapOf(detail)]);
    case 'webhook_endpoint.disabled':
      return say(strings.disabledEndpoint({ who, url: named('url') }), [reasonOf(detail)]);
    case 'webhook_endpoint.deleted':
      return say(strings.deletedEndpoint({ who, url: named('url') }));
  }
}

function textOf(detail: Detail, name: string): string | null {
  const value = detail[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function listOf(detail: Detail, name: string): string[] {
  const value = detail[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function reasonOf(detail: Detail): string | null {
  const reason = textOf(detail, 'reason');
  return reason === null ? null : strings.reason(isolate(reason));
}

function bodyOf(detail: Detail): string | null {
  const body = textOf(detail, 'body');
  return body === null ? null : strings.text(isolate(body));
}

function accountOf(detail: Detail, target: string, names: EntryNames) {
  const vendor = names.vendor(textOf(detail, 'type') ?? target);
  return { vendor, name: isolate(textOf(detail, 'name') ?? target) };
}

function describeSaved(detail: Detail): (string | null)[] {
  const last4 = textOf(detail, 'secret_last4') ?? textOf(detail, 'auth_token_last4');
  const onUnknown = textOf(detail, 'on_unknown');
  return [
    last4 === null ? null : strings.secretEndsWith(isolate(last4)),
    onUnknown === null ? null : strings.onUnknown[onUnknown === 'resend' ? 'resend' : 'fail'],
    detail['enabled'] === false ? strings.switchedOff : null,
  ];
}

function describeSender(detail: Detail, names: EntryNames): (string | null)[] {
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

function describeRouting(detail: Detail, names: EntryNames): string[] {
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

function describeReplies(detail: Detail): string[] {
  return Object.entries(detail).map(([keyword, change]) => {
    const { from, to } = change as { from: string | null; to: string | null };
    return strings.changedReply({
      keyword: KEYWORDS[keyword] ?? keyword,
      from: from === null ? null : isolate(from),
      to: to === null ? null : isolate(to),
    });
  });
}

function eventsOf(detail: Detail): string | null {
  const types = detail['event_types'];
  if (!Array.isArray(types)) return null;
  return types.length === 0 ? strings.allEvents : strings.events(types.join(', '));
}

function describeEndpoint(detail: Detail): (string | null)[] {
  const [url, description] = [textOf(detail, 'url'), textOf(detail, 'description')];
  const enabled = detail['enabled'];
  return [
    url === null ? null : strings.url(isolate(url)),
    description === null ? null : strings.description(isolate(description)),
    eventsOf(detail),
    typeof enabled === 'boolean' ? (enabled ? strings.enabled : strings.disabled) : null,
  ];
}

function overlapOf(detail: Detail): string | null {
  const seconds = detail['overlap_seconds'];
  if (typeof seconds !== 'number') return null;
  return seconds === 0
    ? strings.oldSecretEnded
    : strings.oldSecretValid(Math.round(seconds / 36) / 100);
}
