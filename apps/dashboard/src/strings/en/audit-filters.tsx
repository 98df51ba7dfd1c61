import type { AuditEntry } from '@switchboard/contracts';

// audit-filters.tsx
export const filters = 'Filters';
export const who = 'Who';
export const everyone = 'Everyone';
export const members = 'Members';
export const apiKeys = 'API keys';
export const what = 'What';
export const everything = 'Everything';
export const firstDay = 'From';
export const lastDay = 'To';
export const clear = 'Clear filters';
export const nothingMatches = 'No entry matches';
export const nothingMatchesHint = 'Change or clear the filters.';

/** In the order of the list to choose from. */
export const actionNames: Readonly<Record<AuditEntry['action'], string>> = {
  'workspace.created': 'Workspace created',
  'workspace.renamed': 'Workspace renamed',
  'workspace.country_changed': 'Country changed',
  'workspace.encoding_changed': 'Encoding of texts changed',
  'workspace.second_factor_rule_changed': 'Second factor required or not',
  'workspace.closed': 'Workspace closed',
  'member.invited': 'Member invited',
  'invite.withdrawn': 'Invitation withdrawn',
  'member.joined': 'Member joined',
  'member.added': 'Member added',
  'member.role_changed': 'Role changed',
  'member.removed': 'Member removed',
  'member.left': 'Member left',
  'member.password_changed': 'Password changed',
  'member.reset_link_created': 'Link to reset a password created',
  'member.password_reset': 'Password reset',
  'member.email_change_requested': 'Change of email address requested',
  'member.email_changed': 'Email address changed',
  'member.second_factor_enabled': 'Second factor enabled',
  'member.second_factor_disabled': 'Second factor disabled',
  'member.second_factor_removed': 'Second factor removed by the operator',
  'member.recovery_codes_created': 'Recovery codes created',
  'member.recovery_code_used': 'Recovery code used',
  'member.identity_connected': 'Single sign-on connected',
  'member.identity_disconnected': 'Single sign-on disconnected',
  'member.sign_in_link_created': 'Sign-in link created',
  'member.sign_in_link_used': 'Sign-in link used',
  'api_key.created': 'API key created',
  'api_key.rotated': 'API key rotated',
  'api_key.revoked': 'API key revoked',
  'provider.set': 'Provider account saved',
  'provider.deleted': 'Provider account removed',
  'routing.set': 'Routing changed',
  'number.added': 'Sender added',
  'number.changed': 'Sender changed',
  'number.deleted': 'Sender removed',
  'opt_out.added': 'Opt-out added',
  'opt_out.removed': 'Opt-out removed',
  'keyword_replies.changed': 'Keyword replies changed',
  'saved_reply.added': 'Saved reply added',
  'saved_reply.changed': 'Saved reply changed',
  'saved_reply.removed': 'Saved reply removed',
  'contact.merged': 'Contact merged',
  'person.erase_requested': 'Erasure of a person requested',
  'note.edited': 'Note edited',
  'note.removed': 'Note removed by an owner',
  'webhook_endpoint.created': 'Webhook endpoint added',
  'webhook_endpoint.changed': 'Webhook endpoint changed',
  'webhook_endpoint.secret_rotated': 'Webhook secret replaced',
  'webhook_endpoint.disabled': 'Webhook endpoint disabled',
  'webhook_endpoint.deleted': 'Webhook endpoint deleted',
};
