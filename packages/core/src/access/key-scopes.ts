/** What an API key may be limited to. A scope that writes also reads what it writes. */
export const KEY_SCOPES = {
  'messages:send': 'Send and cancel messages; upload media and delete uploaded files',
  'messages:read': 'Read, search and export messages and their media',
  'events:read': 'Follow events, with their messages, over a WebSocket',
  verify: 'Start and check verifications',
  'workspace:write': 'Change the name and the country of the workspace',
  'numbers:write': 'Read and change senders',
  'contacts:write': 'Read and change contacts',
  'webhooks:write':
    'Read and change webhook endpoints, which receive messages, except those of the audit trail',
  'broadcasts:write': 'Read and change broadcasts',
} as const;

export type KeyScope = keyof typeof KEY_SCOPES;

/** The scope of a key that may use every route of API keys. */
export const ALL_SCOPES = '*';

export function hasScope(scopes: readonly string[], needed: KeyScope): boolean {
  return scopes.includes(ALL_SCOPES) || scopes.includes(needed);
}
