import { AppError } from '@switchboard/core';
import { z } from 'zod';
import { idempotencyKeyField } from './idempotency-key.ts';
import { BATCH_MAX_SENDS } from './limits.ts';
import { NOT_AN_OBJECT, describeMissingParams, parseBody, parseValue } from './parse-request.ts';
import {
  type SendMessageRequest,
  parseSendMessage,
  sendMessageRequest,
  sendMessageResponse,
} from './send-message.ts';
import { phoneNumber } from './text.ts';

/** More than any send needs. A send with more values, even in unknown fields, costs too much to check. */
const SEND_MAX_VALUES = 1_000;
/** A valid recipient, with which the fields that all sends share are checked. */
const ANY_RECIPIENT = '+15551234567';

const NOT_A_LIST = 'must be a list';
const WRONG_COUNT = `must have 1 to ${BATCH_MAX_SENDS} entries`;

const send = sendMessageRequest
  .extend({ idempotency_key: idempotencyKeyField })
  .meta({ id: 'BatchSend' });

const { to: _to, ...shared } = sendMessageRequest.shape;
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item, NOT_A_LIST).min(1, WRONG_COUNT).max(BATCH_MAX_SENDS, WRONG_COUNT).optional();

export const sendBatchRequest = z
  .object({
    messages: listOf(send).describe('The sends. A request has either these or `to`'),
    to: listOf(phoneNumber()).describe(
      'The recipients of one message, whose other fields are beside this one. A number that is repeated receives it ' +
        'as often',
    ),
    ...z.object(shared).partial().shape,
  })
  .meta({ id: 'SendBatchRequest' });

const sendRefusal = z
  .object({
    error: z
      .string()
      .describe('The code that a single send gets')
      .meta({ examples: ['rate_limited'] }),
    detail: z.string().describe('The reason; for people'),
  })
  .meta({ id: 'SendRefusal' });

export const sendBatchResponse = z
  .object({
    results: z
      .array(z.union([sendMessageResponse, sendRefusal]))
      .describe('A result for each send, in the order of the request'),
  })
  .meta({ id: 'SendBatchAnswer' });

export type SendBatchResponse = z.infer<typeof sendBatchResponse>;
export type BatchResult = SendBatchResponse['results'][number];

/** A send of a batch whose fields are valid. */
export interface BatchSend {
  request: SendMessageRequest;
  /** Its own Idempotency-Key. Null if it has none. */
  key: string | null;
}

/** The sends of a batch, not checked yet: checking all of them at once would hold the event loop. */
export interface SendBatch {
  count: number;
  /**
   * Checks a send.
   *
   * @throws AppError with the code and the detail of a single send
   */
  parse(index: number): BatchSend;
}

/** Checks what all sends of a batch share. */
export function parseSendBatch(body: unknown): SendBatch {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('missing_params', NOT_AN_OBJECT);
  }
  const { messages, to, ...others } = Object.fromEntries(
    Object.keys(sendBatchRequest.shape)
      .concat('idempotency_key')
      .map((name) => [name, readGiven(body, name)]),
  );
  if (messages === undefined && to === undefined) {
    throw new AppError('missing_params', `${describeMissingParams(['messages'])}, or \`to\``);
  }
  if (messages !== undefined) {
    assertEachSendHasItsFields({ to, ...others });
    const sends = readList('messages', messages);
    return { count: sends.length, parse: (index) => parseSend(sends[index]) };
  }
  const recipients = readList('to', to);
  if (others['idempotency_key'] !== undefined) {
    throw new AppError(
      'invalid_params',
      '`idempotency_key` must be absent if `to` is a list: send `Idempotency-Key` for the whole batch',
    );
  }
  const { request } = parseSend({ ...others, to: ANY_RECIPIENT });
  return {
    count: recipients.length,
    parse: (index) => ({
      request: { ...request, ...parseBody(recipient, { to: recipients[index] }) },
      key: null,
    }),
  };
}

/** A field beside `messages` would be ignored, and the sends would go without it: from another sender, or at once. */
function assertEachSendHasItsFields(fields: Record<string, unknown>): void {
  const given = Object.keys(fields).find((name) => fields[name] !== undefined);
  if (given === undefined) return;
  throw new AppError(
    'invalid_params',
    `\`${given}\` must be absent if there are \`messages\`: each send has its own`,
  );
}

const recipient = sendMessageRequest.pick({ to: true });

/** Null counts as absent, as in every request. */
function readGiven(body: object, name: string): unknown {
  return Object.hasOwn(body, name) ? (Reflect.get(body, name) ?? undefined) : undefined;
}

function readList(name: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new AppError('invalid_params', `\`${name}\` ${NOT_A_LIST}`);
  if (value.length < 1 || value.length > BATCH_MAX_SENDS) {
    throw new AppError('invalid_params', `\`${name}\` ${WRONG_COUNT}`);
  }
  return value;
}

function parseSend(value: unknown): BatchSend {
  if (countValues(value, SEND_MAX_VALUES) > SEND_MAX_VALUES) {
    throw new AppError('invalid_params', `A send must have at most ${SEND_MAX_VALUES} values`);
  }
  const request = parseSendMessage(value);
  const given = readGiven(value as object, 'idempotency_key');
  return { request, key: given === undefined ? null : parseKey(given) };
}

function parseKey(value: unknown): string {
  const parsed = parseValue(z.object({ idempotency_key: idempotencyKeyField }), {
    idempotency_key: value,
  });
  return parsed.idempotency_key ?? '';
}

/** Counts the values in a value, but only up to the first one beyond the limit. */
function countValues(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const name in value) {
    count += countValues(Reflect.get(value, name), limit - count);
    if (count > limit) return count;
  }
  return count;
}
