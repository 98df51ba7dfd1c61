import { listVendors } from '@switchboard/providers/vendors';
import { EVENTS_SUBPROTOCOL } from '../event-protocol.ts';
import type { Tag } from '../routes/define-route.ts';

/** Programs use API keys. The dashboard uses sessions; operators and providers use the rest. */
export type Audience = 'programs' | 'dashboard';

export const TITLES: Record<Audience, { title: string; summary: string }> = {
  programs: {
    title: 'Switchboard API',
    summary: 'Send and receive SMS and MMS with an API key',
  },
  dashboard: {
    title: 'Switchboard dashboard API',
    summary: 'The API that the dashboard, operators and providers use',
  },
};

const CONVENTIONS = `Send the credential as \`Authorization: Bearer …\`. Times are UTC in ISO 8601, ids are
UUIDs, and unknown fields are ignored. Every error response has the body
\`{ "error": code, "detail": text }\`. Every response has an \`X-Request-Id\`, which is also in the logs of the
service.`;

const events = (path: string) => `## Events

\`GET ${path}\` opens a WebSocket. Frames are JSON (\`EventFrame\`): \`ready\` first, then one for each
change. The changes of a message arrive in order. \`?cursor=…\` with the last cursor received resumes: every
later event follows exactly once. A browser sends its credential as the second of two subprotocols:
\`${EVENTS_SUBPROTOCOL}, bearer.<token>\`. The server pings every 30 seconds and closes with 4401 (session
or key ended), 4403 (membership ended), 4408 (client reads too slowly), 1008 (client sends more than 64 KiB in 10 seconds) or 1001 (server shuts down).`;

export const DESCRIPTIONS: Record<Audience, string> = {
  programs: `Send and receive SMS and MMS, and follow every message live.

Create an API key in the settings of a workspace. The key acts in that workspace.

${CONVENTIONS}

${events('/api/events')}`,
  dashboard: `The API of the dashboard, of operators and of providers. Programs use the Switchboard API.

People log in to get a session token.

${CONVENTIONS}

${events('/api/ui/workspaces/{workspaceId}/events')}

Sessions also receive \`conversation.updated\`, \`note.created\`, \`note.updated\` and \`conversation.typing\`. These have no
cursor and are not repeated after a reconnect. A client may send \`{ "type": "conversation.viewing", "number",
"typing" }\`: the conversation that its user has open (or null), and whether the user is typing a reply. The client
repeats the frame every 3 seconds while the user is typing. Colleagues who have the same conversation open receive
\`conversation.typing\`.`,
};

export const TAG_DESCRIPTIONS: Record<Tag, string> = {
  Messages: 'Send messages, read the history, cancel a scheduled message.',
  Media: 'Files that a workspace uploads and sends with messages.',
  Conversations: 'Read, assign and close the messages with one number, and add notes.',
  Events: 'Follow messages live over a WebSocket.',
  Workspaces: 'A workspace holds keys, a provider, numbers and messages.',
  Numbers: 'The numbers that a workspace sends from.',
  Contacts: 'The people that a workspace writes to, and saved replies.',
  'Erasing people': 'Removes the data of a person, except for what the statistics need.',
  'API keys': 'The credentials of programs.',
  Provider: 'The account at the messaging provider.',
  'Workspace webhooks': 'URLs that receive the events of the workspace.',
  'Opt-outs': 'The numbers that have opted out, and the replies to keywords.',
  Members: 'The users of a workspace and invitations.',
  'Statistics and audit': 'Counts of messages, and who changed what.',
  'Users and sessions': 'Sign-up, login and the signed-in user.',
  'Provider webhooks': 'The URLs that messaging providers call.',
  Operations: 'Health, metrics and this description.',
};

export const SECURITY_SCHEMES: Readonly<Record<string, object>> = {
  api_key: { type: 'http', scheme: 'bearer', description: 'An API key of the workspace' },
  session: { type: 'http', scheme: 'bearer', description: 'A session token' },
  ...Object.fromEntries(
    listVendors().flatMap(([, { webhooks }]) =>
      webhooks === null ? [] : [[webhooks.signature.name, webhooks.signature.scheme]],
    ),
  ),
};

export const HEADERS = {
  'X-Request-Id':
    'Identifies the request in the logs of the service; the client’s own value if it sent one',
  'X-RateLimit-Limit':
    'The requests per minute that the key, its workspace or the user may make, whichever has the fewest left. Absent if there is no limit',
  'X-RateLimit-Remaining': 'Requests left in this window',
  'X-RateLimit-Reset': 'Whole seconds until the window ends',
  'Retry-After': 'Seconds to wait before a retry',
  'Idempotent-Replayed': '`true` for the response to an earlier request with the same key',
  'Preference-Applied': 'The preference that was applied: `wait=N` or `handling=strict`',
} as const;

export type HeaderName = keyof typeof HEADERS;
