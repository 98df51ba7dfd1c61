/** What the audit trail of a workspace knows to tell. */
export const AUDIT_ACTIONS = [
  'workspace.created',
  'workspace.renamed',
  'member.added',
  'member.invited',
  /** An invite was accepted. */
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.password_changed',
  'api_key.created',
  'api_key.revoked',
  'provider.set',
  'provider.deleted',
  'number.added',
  'number.changed',
  'number.deleted',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
