const HEAD = `# Access

<!-- Written by \`npm run access:page\` from packages/core/src/access and the definitions of the routes. Do not edit. -->

A person reaches a workspace with a session and the permissions of a role. A program reaches it with an API key and
the scopes of the key.
`;

const KEYS = `## API keys

Only owners create keys, with \`POST …/api-keys\` or in the settings. A key can be limited:

- **Scopes.** By default, \`["*"]\`, a key may use every route of keys. Otherwise, it may use the routes of its scopes and
  \`GET /api/workspace\`. A request that needs another scope gets 403 \`forbidden\`, which names the scope. The scopes
  of a key do not change: create another key instead.
- **Expiry.** From \`expires_at\` on, by the clock of the database, every request gets 401 and open WebSockets are closed. The
  error says that the key expired; who does not have the key cannot get it. An expired key does not count in the quota of keys.
- **Addresses.** With \`allowed_ips\`, up to 50 addresses or networks of IPv4 and IPv6, a request from elsewhere gets 403
  \`forbidden\` with the client's address, and does not use up the rate limit of the key. The address is that of the connection, or
  the one that the last of [\`TRUST_PROXY\`](settings.md) trusted proxies reports; no other header counts. An IPv4 address that is mapped to IPv6 counts
  as the IPv4 address. A WebSocket is checked when it is opened.
- **Rotation.** \`POST …/api-keys/{keyId}/rotate\` gives the key another secret. The earlier ones work for an overlap of
  \`overlap_seconds\`, from 0 to 7 days, by default one day, but never longer than they would have anyway. With 0, they end
  in every process before the response is sent. A key has at most 10 earlier secrets that work. The key keeps its id, rate limit and
  history. \`expires_at\` in the request is the expiry of the new secret.
- **Last use.** The list of keys has \`last_used_at\` and \`last_used_ip\`, written at most once a minute for each key.

Creation, rotation and revocation are in the audit trail, without secrets.
`;

/**
 * @param {{
 *   roles: readonly string[],
 *   permissions: Record<string, { roles: readonly string[], allows: string }>,
 *   scopes: Record<string, string>,
 *   endpoints: readonly { key: string, credential: string, route: { scope?: string } }[],
 * }} tables
 * @returns {string} docs/access.md
 */
export function renderAccessPage({ roles, permissions, scopes, endpoints }) {
  const ofKeys = endpoints.filter(({ credential }) => credential === 'api_key');
  const routesOf = (/** @type {string} */ scope) =>
    ofKeys.filter(({ route }) => route.scope === scope).map(({ key }) => `\`${key}\``);
  const listed = Object.entries({ ...scopes, any: 'Every key may do this' });
  return [
    HEAD,
    '## Roles',
    '',
    `| permission | allows to | ${roles.join(' | ')} |`,
    `|---|---|${'---|'.repeat(roles.length)}`,
    ...Object.entries(permissions).map(
      ([name, { roles: allowed, allows }]) =>
        `| \`${name}\` | ${lowerFirst(allows)} | ${roles.map((role) => (allowed.includes(role) ? 'yes' : '–')).join(' | ')} |`,
    ),
    '',
    'Every member may leave. The last owner of a workspace stays its owner. A viewer follows events and sees who is typing, but',
    'is not reported as typing, and does not mark messages as read. A changed role applies to the next request, and to an open',
    'WebSocket within half a minute.',
    '',
    KEYS,
    '### Scopes',
    '',
    '| scope | allows to | routes |',
    '|---|---|---|',
    ...listed.map(
      ([scope, allows]) =>
        `| ${scope === 'any' ? '–' : `\`${scope}\``} | ${lowerFirst(allows)} | ${routesOf(scope).join('<br>') || 'none yet'} |`,
    ),
    '',
  ].join('\n');
}

/** @param {string} text */
const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1);
