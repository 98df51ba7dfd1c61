import { openTestDatabase } from '@switchboard/testing';
import type { SendMessageResponse } from '@switchboard/contracts';
import type { Stack } from './start-stack.ts';

export interface History {
  /** A message that was delivered. */
  deliveredId: string;
  failedId: string;
  /** A message that was sent on the third attempt. */
  retriedId: string;
  scheduledId: string;
  /** The number of a short conversation. */
  friend: string;
  /** The number of a conversation with 120 messages. */
  pal: string;
}

const OURS = '+15005550006';
const FRIEND = '+14155550142';
const PAL = '+14155550177';
const PAL_MESSAGES = 120;
const HOUR_MS = 3_600_000;
/** Two weeks, because the overview compares a week with the one before it. */
const DAYS = 14;

const TEXTS = [
  'Your order 48213 has left our warehouse and arrives tomorrow between 9 and 12.',
  'Reminder: your appointment with Dr. Lindqvist is on Monday at 14:30. Reply C to cancel.',
  'Your verification code is 482 913. It is good for ten minutes.',
  'Thank you for your visit! How did we do, from 1 to 5?',
  'Your table for four is ready. See you at the door.',
  'We have received your payment of 64.90. Your receipt is in your account.',
  'Service notice: water will be off in Elm Street on Tuesday from 8 to 11.',
  'Your parcel is waiting at the pick-up point until Saturday.',
];
const ANSWERS = [
  '5',
  'C',
  'Thank you!',
  'Can I come an hour later?',
  'Yes please',
  'Great service, thanks',
];

const THREAD = [
  [7 * 24 * 60, 'in', 'Do you also sell mudguards for my Gazelle?'],
  [7 * 24 * 60 - 11, 'out', 'We do, in black and in silver, from 35.'],
  [52, 'out', 'Hello Maya, your bicycle is ready. You can pick it up until 18:00 today.'],
  [49, 'in', 'Wonderful! I can’t make it before six though. Is tomorrow fine too?'],
  [47, 'out', 'Of course. We open at 9:00.'],
  [46, 'in', 'Perfect, see you then'],
  [12, 'in', 'One more thing: did you also look at the rear brake?'],
  [9, 'out', 'We did: new pads, and the cable is tightened. It is on the bill as agreed.'],
] as const;

const CONTACTS = [
  {
    number: FRIEND,
    name: 'Maya Okafor',
    tags: ['customer', 'workshop'],
    fields: { Bicycle: 'Gazelle Paris, blue', Order: '48213' },
  },
  { number: PAL, name: 'Leif Lindqvist', tags: ['supplier'] },
  { number: '+14155550119', name: 'Noor Haddad', tags: ['customer'] },
];

const SAVED_REPLIES = [
  { name: 'Opening hours', body: 'We are open from Monday to Saturday, 9:00 to 18:00.' },
  {
    name: 'Ready to collect',
    body: 'Your bicycle is ready. You can pick it up until 18:00 today.',
  },
];

/** Fills a workspace with two weeks of messages up to now. */
export async function fillHistory(stack: Stack, nowMs = Date.now()): Promise<History> {
  const { workspaceId } = stack.owner;
  const api = `/api/ui/workspaces/${workspaceId}`;
  const database = openTestDatabase(stack.database.url);
  const rows = [
    ...generateDays(nowMs),
    ...THREAD.map(([minutes, way, body]) => ({
      at: nowMs - minutes * 60_000,
      inbound: way === 'in',
      number: FRIEND,
      body,
      status: way === 'in' ? 'received' : 'delivered',
      code: null,
    })),
    ...Array.from({ length: PAL_MESSAGES }, (_, n) => ({
      // Older than everything that the screenshots show.
      at: nowMs - (DAYS * 24 + PAL_MESSAGES - n) * HOUR_MS,
      inbound: n % 2 === 1,
      number: PAL,
      body: `Message ${n + 1} of a long thread`,
      status: n % 2 === 1 ? 'received' : 'delivered',
      code: null,
    })),
  ];
  try {
    await database.pool.query(
      `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
         error_code, created_at, updated_at, dispatch, sent_by, sent_by_id)
       SELECT uuid_v7(t.at), $1, (CASE WHEN r.inbound THEN 'inbound' ELSE 'outbound' END)::direction,
         CASE WHEN r.inbound THEN $3 ELSE r.number END, CASE WHEN r.inbound THEN r.number ELSE $3 END,
         r.body, 1, r.status::message_status, r.code, t.at, t.at, 'accepted',
         (CASE WHEN NOT r.inbound THEN 'user' END)::sender_kind, CASE WHEN NOT r.inbound THEN $4::uuid END
       FROM jsonb_to_recordset($2::jsonb)
           AS r(at float8, inbound boolean, number text, body text, status text, code text),
         LATERAL (SELECT to_timestamp(r.at / 1000)) AS t(at)`,
      [workspaceId, JSON.stringify(rows), OURS, stack.owner.userId],
    );
    // Another process has the lease, so nothing is posted to these addresses.
    await database.pool.query(
      `INSERT INTO webhook_endpoints (id, workspace_id, url, description, sealed_secret, event_types,
         position, failing_since, last_error, last_success_at, lease_owner, lease_until, created_at, updated_at)
       SELECT gen_random_uuid(), $1, e.url, e.description, '', e.types::text[], '{}', e.failing, e.error,
         now() - interval '2 minutes', $1, 'infinity', now(), now()
       FROM (VALUES
         ('https://shop.example.com/webhooks', 'Web shop', '{}', NULL::timestamptz, NULL),
         ('https://crm.example.com/sms', 'Customer records', '{message.received,opt_out.created}',
           now() - interval '40 minutes', 'The endpoint responded with 502')
       ) AS e(url, description, types, failing, error)`,
      [workspaceId],
    );
  } finally {
    await database.close();
  }

  await stack.request('PATCH', api, { name: 'Elm Street Bicycles' });
  await stack.request('POST', `${api}/numbers`, { number: OURS, label: 'Support' });
  await stack.request('POST', `${api}/numbers`, { number: '+15005550020', label: 'Reminders' });
  await stack.ownNumber('+14155550161', 'https://old.example.com/sms');
  await stack.ownNumber('+18005550162', '');
  await stack.request('POST', `${api}/api-keys`, { name: 'Web shop' });
  await stack.request('POST', `${api}/opt-outs`, { number: '+14155550187', reason: 'STOP' });
  await stack.request('POST', `${api}/members`, { email: 'grace@example.com', role: 'member' });

  for (const contact of CONTACTS) await stack.request('POST', `${api}/contacts`, contact);
  const thread = `${api}/conversations/${encodeURIComponent(FRIEND)}`;
  await stack.request('PATCH', thread, { assignee_id: stack.owner.userId });
  await stack.request('POST', `${thread}/notes`, { body: 'Promised the rear brake at no charge.' });
  for (const reply of SAVED_REPLIES) await stack.request('POST', `${api}/saved-replies`, reply);

  const view = { name: 'Not delivered', filters: { status: 'failed' } };
  await stack.request('POST', `${api}/saved-views`, view);

  const send = (to: string, body: string) =>
    stack.request<SendMessageResponse>('POST', `${api}/messages`, { to, body });
  const retried = await send('+15005550020', TEXTS[4] ?? '');
  const failed = await send('+15005550015', 'LAST CHANCE!!! Win a bicycle: bit.ly/2xkQ');
  const scheduled = await stack.request<SendMessageResponse>('POST', `${api}/messages`, {
    to: '+14155550119',
    body: TEXTS[1],
    scheduled_at: new Date(nowMs + 5 * 24 * HOUR_MS).toISOString(),
  });
  const delivered = await send('+14155550119', TEXTS[0] ?? '');
  return {
    deliveredId: delivered.id,
    failedId: failed.id,
    retriedId: retried.id,
    scheduledId: scheduled.id,
    friend: FRIEND,
    pal: PAL,
  };
}

/** Generates messages that are frequent by day and rare at night. The result is deterministic. */
function generateDays(nowMs: number) {
  const draw = createDraw();
  return Array.from({ length: DAYS * 24 }, (_, hoursAgo) => {
    const hour = new Date(nowMs - hoursAgo * HOUR_MS).getUTCHours();
    const busy = Math.max(0.15, Math.sin(((hour - 5) / 24) * 2 * Math.PI) + 0.4);
    return Array.from({ length: Math.round(busy * (5 + draw() * 6)) }, () => {
      const inbound = draw() < 0.16;
      const number = `+1415555${String(Math.floor(draw() * 9_000) + 1_000)}`;
      const texts = inbound ? ANSWERS : TEXTS;
      const luck = draw();
      const [status, code] = inbound
        ? ['received', null]
        : luck < 0.93
          ? ['delivered', null]
          : luck < 0.955
            ? ['sent', null]
            : luck < 0.98
              ? ['undelivered', hoursAgo < 200 && draw() < 0.6 ? '30003' : '30005']
              : ['failed', '21610'];
      return {
        // The last minutes belong to the conversation above.
        at: nowMs - hoursAgo * HOUR_MS - 3_600_000 * (0.9 + draw() * 0.9),
        inbound,
        number,
        body: texts[Math.floor(draw() * texts.length)],
        status,
        code,
      };
    });
  }).flat();
}

function createDraw(): () => number {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
