import { WEBHOOK_EVENT_TYPES } from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, vi } from 'vitest';
import { PNG } from '../media-samples.ts';
import { ask } from '../start-service.ts';
import {
  OTHER_FORM,
  OURS,
  SECOND,
  SOMEONE_ELSE,
  THEIRS,
  owner,
  receive,
  send,
  service,
  simulator,
  until,
  workspace,
} from './environment.ts';

/** Lets the person appear wherever a workspace stores something about people. Returns the messages. */
export async function live(): Promise<{ delivered: string; scheduled: string; picture: string }> {
  const endpoint = { url: 'http://127.0.0.1:9/', event_types: [...WEBHOOK_EVENT_TYPES] };
  expect((await owner('/webhook-endpoints', { json: endpoint })).json).toMatchObject(endpoint);
  const contact = {
    number: THEIRS,
    other_numbers: [SECOND],
    name: 'Yaroslava Zephyrine',
    fields: { street: 'Wunderkammer 3' },
    tags: ['xylophonist'],
  };
  expect((await owner('/contacts', { json: contact })).status).toBe(201);

  const uploaded = await ask(service.url, '/api/media?name=my-portrait.png', {
    token: workspace.apiKey,
    raw: new Uint8Array(PNG),
    headers: { 'content-type': 'image/png' },
  });
  expect(uploaded.status).toBe(201);
  const picture = String(uploaded.json?.['id']);
  const delivered = await send(
    {
      to: THEIRS,
      body: 'Dear Zephyrine',
      media_urls: [`media:${picture}`],
      reference: 'ticket-of-yaroslav',
      metadata: { pet: 'hummingbird' },
    },
    { 'idempotency-key': 'one' },
  );
  const second = await send({
    to: SECOND,
    body: 'The same Zephyrine',
    reference: 'newsletter',
  });
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const scheduled = await send({ to: THEIRS, body: 'Tomorrow, Zephyrine', scheduled_at: at });
  const other = await send({ to: SOMEONE_ELSE, body: 'Good morning', reference: 'newsletter' });
  const newsletter = { name: 'Newsletter', filters: { reference: 'newsletter' } };
  expect((await owner('/saved-views', { json: newsletter })).status).toBe(201);
  for (const id of [delivered, second, other]) await until(id, 'delivered');
  await receive(OTHER_FORM, 'I collect a wunderkammer', [
    `${simulator.url}/simulator/media/cat.png`,
  ]);
  await receive(SOMEONE_ELSE, 'Good morning to you');
  await receive(THEIRS, 'leave me alone please');
  await receive(THEIRS, 'STOP');

  const conversation = `/conversations/${encodeURIComponent(THEIRS)}`;
  const note = await owner(`${conversation}/notes`, { json: { body: 'Yaroslava is kind' } });
  expect(note.status).toBe(201);
  const path = `${conversation}/notes/${String(note.json?.['id'])}`;
  await owner(path, { method: 'PATCH', json: { body: 'Yaroslava is very kind' } });
  const elsewhere = `/conversations/${encodeURIComponent(SOMEONE_ELSE)}/notes`;
  await owner(elsewhere, { json: { body: `Knows ${THEIRS} well` } });
  await owner(conversation, { method: 'PATCH', json: { state: 'closed' } });
  const view = { name: 'One person', filters: { to: THEIRS } };
  expect((await owner('/saved-views', { json: view })).status).toBe(201);
  const ticket = { name: 'One ticket', filters: { reference: 'ticket-of-yaroslav' } };
  expect((await owner('/saved-views', { json: ticket })).status).toBe(201);
  const optOut = { number: SECOND, reason: 'Yaroslava called' };
  expect((await owner('/opt-outs', { json: optOut })).status).toBe(201);

  // What only sessions with a provider store, as they store it.
  const of = [workspace.workspaceId, workspace.providerId];
  await service.sql(
    `INSERT INTO long_inbound_messages (workspace_id, provider_id, vendor_account_id, "from", "to", reference, total,
       parts, due_at) VALUES ($1, $2, 'x@y', $3, $4, 1, 2, '{}', now() + interval '1 hour')`,
    [...of, OTHER_FORM, OURS],
  );
  await service.sql(
    `INSERT INTO unmatched_callbacks (workspace_id, provider_id, vendor_account_id, provider_sid, callback, received_at)
     VALUES ($1, $2, 'x@y', 'z', $3, now())`,
    [...of, JSON.stringify({ match: { to: THEIRS.slice(1) } })],
  );
  await service.sql(
    `INSERT INTO provider_problems (workspace_id, provider_id, kind, count, example) VALUES ($1, $2, 'k', 1, $3)`,
    [...of, `a receipt for ${THEIRS.slice(1)}`],
  );
  // Deliveries have failed, and the words of the old messages are searchable.
  await vi.waitFor(async () => {
    const [chunks] = await service.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM message_chunks WHERE words::text LIKE '%quetzalcoatlus%'`,
    );
    expect(chunks?.n).toBe(1);
    const [failed] = await service.sql<{ n: number }>(
      `SELECT count(DISTINCT event_type)::int AS n FROM webhook_deliveries
       WHERE event_type IN ('opt_out.created', 'audit_entry.created') AND attempts <> '[]'`,
    );
    expect(failed?.n).toBe(2);
    // The reply to STOP is delivered, too.
    expect(await service.countRows(`message_progress WHERE status <> 'scheduled'`)).toBe(0);
  }, EVENTUALLY);
  return { delivered, scheduled, picture };
}
