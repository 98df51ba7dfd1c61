import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceFixture } from '@switchboard/testing';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { type ApiResponse, ask } from './start-service.ts';

export const TO = '+15551230001';
export const LIMITS = {
  RATE_LIMIT_MESSAGING: '100000',
  RATE_LIMIT_UI: '100000',
  SWEEP_MS: '60000',
};

export async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now();
  const result = await work;
  return { result, ms: performance.now() - began };
}

export const sendTo = (
  url: string,
  { apiKey }: WorkspaceFixture,
  body: string,
  key?: string,
): Promise<ApiResponse> =>
  ask(url, '/api/messages', {
    token: apiKey,
    json: { to: TO, body },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

/** Sends distinct texts from concurrent clients until it is stopped. */
export function startLoad(senders: number, send: (body: string) => Promise<ApiResponse>) {
  const responses = new Map<string, ApiResponse>();
  /** Texts of requests without a response. */
  const failures = new Map<string, unknown>();
  let running = true;
  async function keepSending(sender: number): Promise<void> {
    for (let n = 0; running; n += 1) {
      const body = `${sender}-${n}`;
      try {
        const response = await send(body);
        responses.set(body, response);
        if (response.status !== 201) await delay(20);
      } catch (error) {
        failures.set(body, error);
        await delay(20);
      }
    }
  }
  const all = Promise.all(Array.from({ length: senders }, (_, sender) => keepSending(sender)));
  const stop = async (): Promise<void> => {
    running = false;
    await all;
  };
  onTestFinished(stop);
  return { responses, failures, stop };
}

/** Returns the texts of all messages in a database. */
export async function listBodies(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ body: string }>('SELECT body FROM messages ORDER BY id');
    return rows.map(({ body }) => body);
  } finally {
    await client.end();
  }
}
