import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  IDEMPOTENCY_KEY_PATTERN,
  IDEMPOTENCY_KEY_RULE,
  type SendMessageResponse,
  type SendMessageRequest,
  refuse,
  routes,
} from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type { IdempotencyStore, StoredAnswer } from '@switchboard/database';
import type { PollFirstResponse } from './poll-first-responses.ts';
import { LONGEST_WAIT_SECONDS } from './prefer-wait.ts';

const HEADER = 'idempotency-key';
const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/** Parses the header; null if it is absent. Also accepts the quoted form of the IETF draft. */
export function parseIdempotencyKey({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string | null {
  const value = headers[HEADER]?.toString();
  if (value === undefined) return null;
  // Node joins repeated headers with this separator, which a key may also contain.
  if (value.includes(', ') && countHeaders(rawHeaders) > 1) {
    throw new AppError('invalid_params', '`Idempotency-Key` must be sent once');
  }
  const key = /^"(.*)"$/.exec(value)?.[1] ?? value;
  if (!KEY.test(key)) {
    throw new AppError('invalid_params', `\`Idempotency-Key\` ${IDEMPOTENCY_KEY_RULE}`);
  }
  return key;
}

/** Names and values alternate in raw headers. */
function countHeaders(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === HEADER).length;
}

/**
 * Hashes the route and every field of a parsed request; equal requests have equal fingerprints.
 *
 * The fields of the first release are always included, in this order. A field of a later release is
 * included with its name, and only if the request has it, so that a request that was first sent
 * before an upgrade keeps its fingerprint.
 */
export function fingerprintRequest(route: string, request: SendMessageRequest): Buffer {
  const { to, body, from, media_urls, scheduled_at, metadata, ...others } = request;
  const fields = [route, to, body, from ?? null, media_urls ?? null, scheduled_at ?? null];
  // Some programs write the pairs of the same metadata in another order each time.
  const laterFields = { ...others, metadata: metadata && sortByName(metadata) };
  const later = sortByName(laterFields).filter(([, value]) => value !== undefined);
  return hash('sha256', JSON.stringify([...fields, ...later]), 'buffer');
}

function sortByName(fields: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** A waiting request gets its response at most this long after the end of its wait. */
const RESPONSE_MS = 2_000;

/**
 * Finds the first response for a key. While the first request waits for the provider, this function
 * waits as well, until that request or the provider has answered. The first request or its process
 * may have failed without a trace. So the first response becomes final when the provider has
 * answered, or when the wait of this request, by default the longest possible wait, is over.
 */
export async function replayResponse(options: {
  store: Pick<IdempotencyStore, 'find' | 'keepResponse'>;
  workspaceId: string;
  key: string;
  fingerprint: Buffer;
  stored: StoredAnswer;
  /** How long this request may wait for the provider; even with 0, the first request may wait. */
  waitSeconds: number;
  respondNow(messageId: string): Promise<SendMessageResponse>;
  /** Null while the provider has not answered. */
  findProvidersResponse(messageId: string): Promise<SendMessageResponse | null>;
  pollFirstResponse: PollFirstResponse;
}): Promise<SendMessageResponse> {
  const { store, workspaceId, key } = options;
  const { messageId, ageMs } = options.stored;
  const keep = (response: SendMessageResponse) => store.keepResponse(workspaceId, key, response);
  if (!options.stored.fingerprint.equals(options.fingerprint)) {
    throw refuse(routes.sendMessage, 'idempotency_key_reused');
  }
  // Counted from the first request, so that retries do not extend the wait.
  const waitMs = (options.waitSeconds || LONGEST_WAIT_SECONDS) * 1_000;
  const response =
    options.stored.response ??
    (await options.pollFirstResponse(
      { workspaceId, key },
      waitMs + RESPONSE_MS - ageMs,
      async () => {
        const kept = (await store.find(workspaceId, key))?.response ?? null;
        if (kept !== null) return kept;
        const current = await options.findProvidersResponse(messageId);
        return current === null ? null : keep(current);
      },
    )) ??
    (await keep(await options.respondNow(messageId)));
  // Only responses of this route are stored.
  return response as SendMessageResponse;
}
