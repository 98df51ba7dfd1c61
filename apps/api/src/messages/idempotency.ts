import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SendMessageAnswer, SendMessageRequest } from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type { IdempotencyStore, StoredAnswer } from '@switchboard/database';

const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255;

/** The key of a request, or null without one. The quoted form of the IETF draft is accepted. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const value = Array.isArray(header) ? header.join(',') : header;
  const key = /^"(.*)"$/.exec(value)?.[1] ?? value;
  if (!/^[\x20-\x7e]+$/.test(key) || key.length > IDEMPOTENCY_KEY_MAX_CHARACTERS) {
    throw new AppError(
      'invalid_params',
      `\`Idempotency-Key\` must have 1 to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} printable characters`,
    );
  }
  return key;
}

/** Equal for equal requests: the route and the fields that it recognises. */
export function fingerprintRequest(route: string, request: SendMessageRequest): Buffer {
  const fields = [
    route,
    request.to,
    request.body,
    request.from ?? null,
    request.media_urls ?? null,
    request.scheduled_at ?? null,
  ];
  return hash('sha256', JSON.stringify(fields), 'buffer');
}

/** From when the key was spent, the first request may take so long: the longest wait, and a bit. */
const FIRST_ANSWER_TIMEOUT_MS = 32_000;
const FIRST_ANSWER_POLL_MS = 100;

/**
 * The first answer under a key. When the first request is still waiting to give it, this waits
 * with it; when the first request's process died, `answerNow` settles the answer for good.
 */
export async function replayAnswer(options: {
  store: Pick<IdempotencyStore, 'find' | 'keepResponse'>;
  workspaceId: string;
  key: string;
  fingerprint: Buffer;
  stored: StoredAnswer;
  answerNow(messageId: string): Promise<SendMessageAnswer>;
  /** Whether this process is about to end, so that nobody is to wait. */
  isEnding(): boolean;
}): Promise<SendMessageAnswer> {
  const { store, workspaceId, key } = options;
  if (!options.stored.fingerprint.equals(options.fingerprint)) {
    throw new AppError(
      'idempotency_key_reused',
      '`Idempotency-Key` was used for a different request in the last 24 hours',
    );
  }
  // Counted from the first request: its process may be long dead, and each retry would wait anew.
  const deadline = performance.now() + FIRST_ANSWER_TIMEOUT_MS - options.stored.ageMs;
  let response = options.stored.response;
  while (response === null && performance.now() < deadline && !options.isEnding()) {
    await delay(FIRST_ANSWER_POLL_MS);
    response = (await store.find(workspaceId, key))?.response ?? null;
  }
  response ??= await store.keepResponse(
    workspaceId,
    key,
    await options.answerNow(options.stored.messageId),
  );
  // Only answers of this route are ever kept.
  return response as SendMessageAnswer;
}
