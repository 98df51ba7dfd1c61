import type { Http } from '@switchboard/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom, type Random } from '@switchboard/testing/random';
import type { PlannedMessage } from './plan-messages.ts';

/** The result of one request. `status` is null if there was no response. */
export interface SendAttempt {
  status: number | null;
  /** The response, or the error if there was none. */
  text: string;
  /** Index of the API. */
  api: number;
  /** When the request was sent, as `Date.now()`. */
  atMs: number;
  durationMs: number;
}

/** All requests of a program for one message. */
export interface SendRecord {
  planned: PlannedMessage;
  attempts: SendAttempt[];
}

export interface SendOptions {
  seed: number;
  plan: readonly PlannedMessage[];
  apiUrls: readonly string[];
  /** The keys by the index of the workspace. */
  apiKeys: readonly string[];
  http: Http;
  /** Called for each 201 with the message's id. */
  onAccepted?(workspace: number, messageId: string): void;
  /** How long a program retries. */
  retryForMs: number;
}

const REQUEST_TIMEOUT_MS = 8_000;
/** A repeated request waits up to about 32 seconds if the process of the first request has died. */
const WAITING_REQUEST_TIMEOUT_MS = 40_000;
/** Doubles with each consecutive failure, because many immediate retries would keep the service down. */
const RETRY_MS = { first: 100, longest: 5_000 };
const REPEAT_MS = { min: 50, max: 1_500 };

/** Sends each message at its time to a random API, and retries with the same Idempotency-Key. */
export function sendMessages(options: SendOptions): Promise<SendRecord[]> {
  const startedAt = performance.now();
  return Promise.all(
    options.plan.map(async (planned) => {
      await delay(Math.max(0, startedAt + planned.atMs - performance.now()));
      return sendUntilAnswered(planned, options);
    }),
  );
}

async function sendUntilAnswered(
  planned: PlannedMessage,
  options: SendOptions,
): Promise<SendRecord> {
  const random = createRandom(options.seed, `sender ${planned.key}`);
  const attempts: SendAttempt[] = [];
  const deadline = performance.now() + options.retryForMs;
  let accepted = 0;
  let failures = 0;
  for (;;) {
    const atMs = Date.now();
    const attempt: SendAttempt = { atMs, ...(await sendOnce(planned, random, options)) };
    attempts.push(attempt);
    if (attempt.status === 201) {
      accepted += 1;
      failures = 0;
      options.onAccepted?.(planned.workspace, (JSON.parse(attempt.text) as { id: string }).id);
      if (accepted > planned.repeats) break;
    } else {
      if (isRefusal(attempt) || (accepted === 0 && planned.givesUp)) break;
      failures += 1;
    }
    if (performance.now() > deadline) break;
    await delay(
      failures === 0
        ? random.between(REPEAT_MS.min, REPEAT_MS.max)
        : Math.min(RETRY_MS.longest, RETRY_MS.first * 2 ** failures) * (0.5 + random.next() / 2),
    );
  }
  return { planned, attempts };
}

/**
 * Returns whether the service refused the request permanently. Requests of a run are valid, so this
 * is a defect.
 */
export function isRefusal({ status }: SendAttempt): boolean {
  return status !== null && status !== 201 && status < 500;
}

async function sendOnce(
  planned: PlannedMessage,
  random: Random,
  { apiUrls, apiKeys, http }: SendOptions,
): Promise<Omit<SendAttempt, 'atMs'>> {
  const api = random.between(0, apiUrls.length - 1);
  const startedAt = performance.now();
  const since = () => performance.now() - startedAt;
  try {
    const { status, text } = await http.send(`${apiUrls[api] ?? ''}/api/messages`, {
      method: 'POST',
      token: apiKeys[planned.workspace] ?? '',
      headers: {
        'idempotency-key': planned.key,
        ...(planned.waitSeconds > 0 && { prefer: `wait=${planned.waitSeconds}` }),
      },
      body: {
        to: planned.to,
        body: planned.body,
        ...(planned.mediaUrls.length > 0 && { media_urls: planned.mediaUrls }),
      },
      timeoutMs: planned.waitSeconds > 0 ? WAITING_REQUEST_TIMEOUT_MS : REQUEST_TIMEOUT_MS,
    });
    return { api, status, text, durationMs: since() };
  } catch (error) {
    return { api, status: null, text: String(error), durationMs: since() };
  }
}
