import { randomInt, randomUUID } from 'node:crypto';
import { createPhoneNumberStore } from '@switchboard/database';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, onTestFinished } from 'vitest';
import { LONG_TIMEOUTS, startEnvironment } from './start-environment.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

interface Stored {
  id: string;
  body: string;
  media: { url: string; content_type: string }[];
  created_at: Date;
  provider_sid: string;
}

/**
 * Starts a database and a carrier that delivers no inbound webhook. `atEnd` registers the functions
 * that stop them.
 */
export async function startInboundEnvironment(atEnd: (end: () => Promise<void>) => void) {
  const environment = await startEnvironment({ settings: LONG_TIMEOUTS }, atEnd);
  // The provider stops its retries before the service is back.
  await environment.behave({ inbound_drop: 1 });

  /** Starts a worker that ends with the test, so that it reads no list during another test. */
  async function startWorker(settings: Record<string, string> = {}) {
    const worker = await environment.startWorker(settings);
    onTestFinished(worker.stop);
    return worker;
  }

  /** Adds a number whose messages the provider has been sending to us for `connectedMs`. */
  async function connect(connectedMs: number, own?: { workspaceId: string; accountSid: string }) {
    const { workspaceId, accountSid } = own ?? (await environment.addWorkspace());
    const number = `+1555${randomInt(1_000_000, 9_999_999)}`;
    const from = `+1628${randomInt(1_000_000, 9_999_999)}`;
    const numbers = createPhoneNumberStore(environment.database);
    const id = randomUUID();
    const added = { id, number, label: '', capabilities: ['sms'], createdAt: new Date() };
    await numbers.create(workspaceId, added);
    const list = `${environment.simulator.url}/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers`;
    const headers = { authorization: `Basic ${btoa(`${accountSid}:token of ${accountSid}`)}` };
    const found = await fetch(`${list}.json?PhoneNumber=${encodeURIComponent(number)}`, {
      headers,
    });
    const [{ sid }] = ((await found.json()) as { incoming_phone_numbers: [{ sid: string }] })
      .incoming_phone_numbers;
    const ownUrl = `http://127.0.0.1:9/api/webhooks/twilio/${workspaceId}/inbound#rc=5&rp=all`;
    /** Changes where the provider sends the number's inbound messages. */
    async function sendTo(SmsUrl: string, SmsApplicationSid = ''): Promise<void> {
      const body = new URLSearchParams({ SmsUrl, SmsApplicationSid });
      await fetch(`${list}/${sid}.json`, { method: 'POST', headers, body });
    }
    await sendTo(ownUrl);
    await numbers.recordInbound({ workspaceId, id, vendorAccountId: accountSid }, ownUrl);
    await sql(
      `UPDATE phone_numbers SET inbound_since = now() - $2::float8 * interval '1 millisecond'
       WHERE id = $1`,
      [id, connectedMs],
    );

    async function receive(text: string, agoMs: number, more: object = {}): Promise<string> {
      const response = await fetch(`${environment.simulator.url}/simulator/inbound`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ to: number, from, body: text, received_ago_ms: agoMs, ...more }),
      });
      return ((await response.json()) as { sid: string }).sid;
    }
    const readStored = () =>
      sql<Stored>(
        `SELECT * FROM messages
         WHERE workspace_id = $1 AND "to" = $2 AND direction = 'inbound' ORDER BY id`,
        [workspaceId, number],
      );
    const bodies = async () => (await readStored()).map((row) => row.body);
    /** When the list was last read to its end. */
    async function cursor(): Promise<Date | null> {
      const rows = await sql<{ at: Date | null }>(
        'SELECT inbound_read_until AS at FROM phone_numbers WHERE id = $1',
        [id],
      );
      return rows[0]?.at ?? null;
    }
    /**
     * Makes the list due, and waits until a worker has read it. An earlier turn may still be in
     * progress.
     */
    async function readAgain(): Promise<void> {
      // A cursor is 30 s before the time at which the turn read this row.
      const [now] = await sql<{ at: Date }>(`SELECT now() - interval '30 seconds' AS at`, []);
      await makeDue();
      await expect
        .poll(async () => (await cursor())?.getTime() ?? 0, EVENTUALLY)
        .toBeGreaterThanOrEqual(now?.at.getTime() ?? Infinity);
    }
    const makeDue = () =>
      sql('UPDATE provider_accounts SET inbound_check_at = NULL WHERE workspace_id = $1', [
        workspaceId,
      ]);
    const accept = (text: string) =>
      environment.store.accept({
        id: crypto.randomUUID(),
        createdAt: new Date(),
        workspaceId,
        to: from,
        from: number,
        body: text,
        media: [],
        segments: 1,
        scheduledAt: null,
        requestId: 'r',
        isHeldToRules: true,
        idempotency: null,
      });
    return {
      id,
      workspaceId,
      accountSid,
      number,
      from,
      ownUrl,
      sendTo,
      receive,
      readStored,
      bodies,
      cursor,
      readAgain,
      makeDue,
      accept,
    };
  }

  async function sql<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return (await environment.database.pool.query<Row>(text, values)).rows;
  }

  return { ...environment, startWorker, connect, sql };
}
