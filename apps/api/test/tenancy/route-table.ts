/**
 * The table of routes for the tenancy test. The test collects the routes of the service and fails if
 * the table has missing or surplus routes.
 */
export interface RouteEntry {
  /** The credential that the route requires. `none` for public routes. */
  by: 'none' | 'session' | 'api_key' | 'signature';
  /** Whether only owners of the workspace may use the route. */
  owner?: true;
  /** Whether a success is a WebSocket upgrade. */
  upgrade?: true;
  /** Whether `messageId` must be a received message. */
  received?: true;
  /** The body of a valid request. */
  json?: object;
  /** The status of the response to an authorized request. */
  status?: 200 | 201 | 400;
}

const id = '00000000-0000-7000-8000-000000000000';

/** Routes that exist for both API keys and sessions. */
function both(method: string, path: string, entry: Omit<RouteEntry, 'by' | 'owner'>) {
  return {
    [`${method} /api${path}`]: { ...entry, by: 'api_key' },
    [`${method} /api/ui/workspaces/:workspaceId${path}`]: { ...entry, by: 'session' },
  } as const;
}

const W = '/api/ui/workspaces/:workspaceId';
const message = { to: '+15557654321', body: 'Hello' };

export const ROUTES: Readonly<Record<string, RouteEntry>> = {
  'GET /health/live': { by: 'none' },
  'GET /health/ready': { by: 'none' },
  'GET /metrics': { by: 'none' },
  'GET /openapi.json': { by: 'none' },
  'GET /docs': { by: 'none' },

  'GET /api/ui/users': { by: 'none' },
  'POST /api/ui/users': { by: 'none' },
  'POST /api/ui/sessions': { by: 'none' },
  'DELETE /api/ui/sessions/current': { by: 'session' },
  'GET /api/ui/sessions': { by: 'session' },
  'DELETE /api/ui/sessions': { by: 'session' },
  'DELETE /api/ui/sessions/:sessionId': { by: 'session' },
  // An invite for the tenant's user to a new workspace.
  'POST /api/ui/invites/:token/accept': { by: 'session', status: 201 },
  'GET /api/ui/me': { by: 'session' },
  'POST /api/ui/me/password': {
    by: 'session',
    json: { current_password: 'not the password', password: 'a long enough password' },
    status: 400,
  },

  ...both('POST', '/messages', { json: message, status: 201 }),
  ...both('GET', '/messages', {}),
  ...both('GET', '/messages/:messageId', {}),
  ...both('POST', '/messages/:messageId/cancel', {}),
  // The media URL must not be fetched, which is the last check of the route.
  ...both('GET', '/messages/:messageId/media/:index', { received: true, status: 400 }),
  ...both('GET', '/numbers', {}),
  ...both('POST', '/numbers', { json: { number: '+15550009999' }, status: 201 }),
  ...both('PATCH', '/numbers/:numberId', { json: { label: 'Changed' } }),
  ...both('DELETE', '/numbers/:numberId', {}),
  ...both('GET', '/events', { upgrade: true }),

  'GET /api/workspace': { by: 'api_key' },
  'PATCH /api/workspace': { by: 'api_key', json: { name: 'Renamed' } },
  'GET /api/ui/workspaces': { by: 'session' },
  'POST /api/ui/workspaces': { by: 'session', json: { name: 'Another' }, status: 201 },
  [`GET ${W}`]: { by: 'session' },
  [`PATCH ${W}`]: { by: 'session', json: { name: 'Renamed' } },

  [`GET ${W}/members`]: { by: 'session' },
  [`POST ${W}/members`]: {
    by: 'session',
    owner: true,
    json: { email: 'someone-new@example.com', role: 'member' },
    status: 201,
  },
  [`PATCH ${W}/members/:userId`]: { by: 'session', owner: true, json: { role: 'owner' } },
  [`DELETE ${W}/members/:userId`]: { by: 'session', owner: true },
  [`GET ${W}/invites`]: { by: 'session', owner: true },
  [`DELETE ${W}/invites/:inviteId`]: { by: 'session', owner: true },
  [`GET ${W}/api-keys`]: { by: 'session' },
  [`POST ${W}/api-keys`]: { by: 'session', owner: true, json: { name: 'New' }, status: 201 },
  [`DELETE ${W}/api-keys/:keyId`]: { by: 'session', owner: true },
  [`GET ${W}/provider`]: { by: 'session' },
  [`PUT ${W}/provider`]: {
    by: 'session',
    owner: true,
    json: { type: 'twilio', account_sid: `AC${'1'.repeat(32)}`, auth_token: '2'.repeat(32) },
  },
  [`DELETE ${W}/provider`]: { by: 'session', owner: true },
  [`POST ${W}/provider/verify`]: { by: 'session' },
  [`GET ${W}/opt-outs`]: { by: 'session' },
  [`POST ${W}/opt-outs`]: { by: 'session', json: { number: '+15550008888' }, status: 201 },
  [`DELETE ${W}/opt-outs/:number`]: { by: 'session' },
  [`GET ${W}/keyword-replies`]: { by: 'session' },
  [`PATCH ${W}/keyword-replies`]: { by: 'session', json: { help: 'Ask us.' } },
  [`GET ${W}/conversations`]: { by: 'session' },
  [`GET ${W}/error-codes`]: { by: 'session' },
  [`GET ${W}/stats`]: { by: 'session' },
  [`GET ${W}/audit`]: { by: 'session', owner: true },

  [`POST /api/webhooks/twilio/:workspaceId/status`]: { by: 'signature' },
  [`POST /api/webhooks/twilio/:workspaceId/inbound`]: { by: 'signature' },
};

/** Static files that are equal for all users. They exist when the dashboard is built. */
export const DASHBOARD = ['GET /*', 'GET /assets/*', 'GET /icon.svg', 'GET /theme.js'];

/** Ids that do not exist: one with the right format, and malformed ones. */
export const NO_IDS: Readonly<Record<string, readonly string[]>> = {
  workspaceId: [id, 'none', '%00', "'"],
  messageId: [id, 'none', '%00', "'", 'SM00000000000000000000000000000000'],
  numberId: [id, 'none', '%00'],
  userId: [id, 'none', '%00'],
  keyId: [id, 'none', '%00'],
  inviteId: [id, 'none', '%00'],
  sessionId: [id, 'none', '%00'],
  token: ['none', '%00', `swi_${'0'.repeat(43)}`],
  index: ['1', 'none', '%00', '-1'],
  number: ['+15550000000', 'none', '%00', id],
};
