/** The actions that the audit trail of a workspace records. */
export const AUDIT_ACTIONS = [
  'workspace.created',
  'workspace.renamed',
  'workspace.country_changed',
  'workspace.encoding_changed',
  /** Whether it requires a second factor of its members. */
  'workspace.second_factor_rule_changed',
  /** An owner closed it. The entries are deleted with the workspace. */
  'workspace.closed',
  /** Only in old entries, from the time before existing users had to accept an invitation. */
  'member.added',
  'member.invited',
  'invite.withdrawn',
  /** An invitation was accepted. */
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
  'member.password_changed',
  /** By a link from a mail, or one that the operator handed over. */
  'member.password_reset',
  /** By the operator. */
  'member.reset_link_created',
  'member.email_change_requested',
  'member.email_changed',
  'member.second_factor_enabled',
  'member.second_factor_disabled',
  /** By the operator. */
  'member.second_factor_removed',
  'member.recovery_codes_created',
  /** In place of a code of the authenticator app. */
  'member.recovery_code_used',
  /** A user at the identity provider was connected with the user. */
  'member.identity_connected',
  'member.identity_disconnected',
  /** By the operator. */
  'member.sign_in_link_created',
  'member.sign_in_link_used',
  'api_key.created',
  /** The key got a new secret. */
  'api_key.rotated',
  'api_key.revoked',
  'provider.set',
  'provider.deleted',
  'routing.set',
  'number.added',
  'number.changed',
  'number.deleted',
  'opt_out.added',
  'opt_out.removed',
  'keyword_replies.changed',
  'saved_reply.added',
  'saved_reply.changed',
  'saved_reply.removed',
  'contact.merged',
  /** The target is a keyed hash of the number. */
  'person.erase_requested',
  /** By its author. */
  'note.edited',
  /** By an owner who did not write it. */
  'note.removed',
  'webhook_endpoint.created',
  'webhook_endpoint.changed',
  'webhook_endpoint.secret_rotated',
  /**
   * Done by the service: the endpoint responded with 410, or every attempt failed for five days.
   */
  'webhook_endpoint.disabled',
  'webhook_endpoint.deleted',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
