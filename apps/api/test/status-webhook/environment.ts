import { afterAll, beforeAll } from 'vitest';
import type { WorkspaceFixture } from '@switchboard/testing';
import { type CallBackOptions, type Fields, callBack } from '../call-back.ts';
import { type ApiResponse, type Service, ask, startService } from '../start-service.ts';

export const TO = '+15551230001';

export let service: Service;
export let workspace: WorkspaceFixture;
let sids = 0;

/** Registers the hooks of the calling file. Files that share a process load this module once. */
export function useWebhookService(): void {
  beforeAll(async () => {
    service = await startService({ env: { RATE_LIMIT_MESSAGING: '100000', SWEEP_MS: '60000' } });
    workspace = await service.addWorkspace();
  });

  afterAll(() => service.close());
}

export const newSid = () => `SM${String((sids += 1)).padStart(32, '0')}`;

export async function send(from = workspace): Promise<string> {
  const { json } = await ask(service.url, '/api/messages', {
    token: from.apiKey,
    json: { to: TO, body: 'x' },
  });
  return String(json?.['id']);
}

export const sendStatus = (
  fields: Fields,
  options: CallBackOptions = {},
  from = workspace,
): Promise<ApiResponse> => callBack(service.url, from, fields, options);

export async function read(id: string, from = workspace): Promise<Record<string, unknown>> {
  const { json } = await ask(service.url, `/api/messages/${id}`, { token: from.apiKey });
  return json ?? {};
}

/** Returns the fields of a message that a callback may change, and the number of its events. */
export async function snapshot(id: string): Promise<unknown> {
  const [message] = await service.sql('SELECT * FROM messages WHERE id = $1', [id]);
  const events = await service.sql(
    'SELECT count(*)::int AS n FROM message_events WHERE message_id = $1',
    [id],
  );
  return { message, events };
}
