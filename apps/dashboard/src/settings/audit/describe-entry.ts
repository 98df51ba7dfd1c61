import type { AuditEntry } from '@switchboard/contracts';
import type { ReactNode } from 'react';
import * as strings from '#strings/audit';
import * as factor from '#strings/second-factor';
import * as signOn from '#strings/audit-sign-on';
import {
  type EntryNames,
  textOf,
  listOf,
  reasonOf,
  bodyOf,
  accountOf,
  describeSaved,
  describeSender,
  describeRouting,
  describeReplies,
  eventsOf,
  describeEndpoint,
  overlapOf,
} from './describe-details.ts';
import { formatPhone } from '../../phone/format-phone.ts';
import { formatFullTime, isolate } from '../../ui/format.ts';
import { nameRegion } from '../../ui/region-name.ts';

export interface EntryText {
  /** What the actor did. */
  sentence: ReactNode;
  /** What else the entry records, each as a separate phrase. */
  details: string[];
}

/** Describes an entry of the audit trail as a sentence. */
export function describeEntry(
  { action, target, detail, ip }: Pick<AuditEntry, 'action' | 'target' | 'detail' | 'ip'>,
  names: EntryNames,
  who: ReactNode,
): EntryText {
  const say = (sentence: ReactNode, details: (string | null)[] = []): EntryText => ({
    sentence,
    details: [...details, ip === null ? null : strings.fromAddress(ip)].filter(
      (each) => each !== null,
    ),
  });
  const named = (name: string): string => isolate(textOf(detail, name) ?? target);
  const number = (): string => isolate(formatPhone(textOf(detail, 'number') ?? target));
  const role = textOf(detail, 'role') ?? 'member';
  const keyTime = (name: string, describe: (time: string) => string): string | null => {
    const at = textOf(detail, name);
    return at === null ? null : describe(formatFullTime(at));
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
    case 'workspace.encoding_changed':
      return say(strings.changedEncoding({ who, isPlain: detail['to'] === 'prefer_gsm7' }));
    case 'workspace.second_factor_rule_changed':
      return say(factor.changedFactorRule({ who, required: detail['required'] === true }));
    case 'workspace.closed':
      return say(strings.closedWorkspace(who));
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
    case 'member.role_changed': {
      const [from, to] = [textOf(detail, 'from') ?? target, textOf(detail, 'to') ?? target];
      const email = named('email');
      return say(
        from === to
          ? signOn.keptRole({ who, email, role: to })
          : strings.changedRole({ who, email, from, to }),
      );
    }
    case 'member.removed':
      return say(strings.removedMember({ who, email: named('email') }));
    case 'member.left':
      return say(strings.leftWorkspace({ who }));
    case 'member.password_reset':
      return say(strings.resetPassword({ who, byOperator: textOf(detail, 'link') === 'operator' }));
    case 'member.reset_link_created':
      return say(strings.createdResetLink({ who, email: named('email') }));
    case 'member.identity_connected':
      return say(
        signOn.connectedIdentity({ who, issuer: isolate(textOf(detail, 'issuer') ?? '') }),
        [detail['password_removed'] === true ? signOn.removedPassword : null],
      );
    case 'member.identity_disconnected':
      return say(signOn.disconnectedIdentity({ who }));
    case 'member.sign_in_link_created':
      return say(signOn.createdSignInLink({ who, email: named('email') }));
    case 'member.sign_in_link_used':
      return say(signOn.usedSignInLink({ who }));
    case 'member.email_change_requested':
      return say(strings.requestedEmailChange({ who, from: named('from'), to: named('to') }));
    case 'member.email_changed':
      return say(strings.changedEmail({ who, from: named('from'), to: named('to') }));
    case 'member.second_factor_enabled':
      return say(factor.enabledSecondFactor({ who }));
    case 'member.second_factor_disabled':
      return say(factor.disabledSecondFactor({ who }));
    case 'member.second_factor_removed':
      return say(factor.removedSecondFactor({ who, email: named('email') }));
    case 'member.recovery_codes_created':
      return say(factor.createdRecoveryCodes({ who }));
    case 'member.recovery_code_used':
      return say(factor.usedRecoveryCode({ who }));
    case 'member.password_changed':
      return say(strings.changedPassword({ who }));
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
