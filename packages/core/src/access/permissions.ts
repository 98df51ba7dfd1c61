/** The roles of the members of a workspace. */
export const ROLES = ['owner', 'member', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/**
 * What each role may do. Every route of a workspace needs one of these permissions, and what the dashboard
 * offers follows from them.
 */
export const PERMISSIONS = {
  read: {
    roles: ['owner', 'member', 'viewer'],
    allows:
      'Read and export messages, conversations, contacts, statistics and settings; follow events',
  },
  send: {
    roles: ['owner', 'member'],
    allows: 'Send, schedule and cancel messages; upload media',
  },
  change: {
    roles: ['owner', 'member'],
    allows:
      'Change conversations, notes, contacts, saved replies and views, opt-outs, senders and the workspace',
  },
  manage: {
    roles: ['owner'],
    allows:
      'Change provider accounts, routing, API keys, webhooks and members; erase people; read the audit trail; close the workspace',
  },
} as const satisfies Record<string, { roles: readonly Role[]; allows: string }>;

export type Permission = keyof typeof PERMISSIONS;

export function hasPermission(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission].roles as readonly Role[]).includes(role);
}
