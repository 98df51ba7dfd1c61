import {
  type MessageStatus,
  type NewCredentials,
  createUuidV7,
  isMessageStatus,
} from '@switchboard/core';
import type { JsonObject } from '../http/parse-object.ts';
import { toLast4 } from '../http/read-credential.ts';
import { checkTemplate } from './check-template.ts';
import type { GatewayConfig } from './config.ts';
import { invalid, isAbsent, missing, readFields, requireObject } from './read-fields.ts';

const METHODS = ['POST', 'PUT', 'GET'] as const;
const ALGORITHMS = ['hmac-sha256'] as const;
const STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'canceled',
  'read',
] as const satisfies readonly MessageStatus[];
const HEADER_NAME = /^[\w-]{1,64}$/;
const SENDER = /^(\+[1-9]\d{6,14}|\d{3,8})$/;
const MAX_HEADERS = 20;
const MAX_WORDS = 50;
/** A short secret can be guessed from one signed webhook. */
const SHORTEST_SECRET = 12;

/**
 * Parses the description of a gateway. The id of the account is random and stays when its owner changes
 * the gateway's address, because messages in flight name it.
 *
 * @throws AppError `missing_params` or `invalid_params`, naming the parameter
 */
export function readCredentials(input: JsonObject, currentId?: string): NewCredentials {
  const config: GatewayConfig = {
    send: readSend(requireObject(input['send'], 'send')),
    accepted: readAccepted(requireObject(input['accepted'], 'accepted')),
    refused: readSection(input, 'refused', readRefused),
    status_webhook: readSection(input, 'status_webhook', readStatusWebhook),
    inbound_webhook: readSection(input, 'inbound_webhook', readInboundWebhook),
    signing: readSection(input, 'signing', readSigning),
  };
  checkTemplate(config.send);
  if (config.signing === null && (config.status_webhook ?? config.inbound_webhook) !== null) {
    // Without a signature, anyone could report statuses and received messages.
    throw missing('signing');
  }
  const secret = JSON.stringify(config);
  return {
    account: { id: currentId ?? `http-${createUuidV7(Date.now())}`, secret, senderPool: null },
    secretLast4: toLast4(config.send.headers['authorization'] ?? config.signing?.secret ?? ''),
  };
}

function readSection<Section>(
  input: JsonObject,
  name: string,
  read: (fields: JsonObject) => Section,
): Section | null {
  return isAbsent(input[name]) ? null : read(requireObject(input[name], name));
}

function readSend(fields: JsonObject): GatewayConfig['send'] {
  const { text, optionalText, choice } = readFields('send', fields);
  return {
    method: choice('method', METHODS),
    url: text('url', 2_048),
    headers: readHeaders(fields['headers']),
    body: optionalText('body', 4_096),
  };
}

function readHeaders(value: unknown): Record<string, string> {
  const parameter = 'send.headers';
  const given = Object.entries(isAbsent(value) ? {} : requireObject(value, parameter));
  if (given.length > MAX_HEADERS)
    throw invalid(parameter, `must have at most ${MAX_HEADERS} headers`);
  const headers = new Map<string, string>();
  for (const [name, text] of given) {
    if (typeof text !== 'string') throw invalid(`${parameter}.${name}`, 'must be a string');
    if (headers.has(name.toLowerCase()))
      throw invalid(`${parameter}.${name}`, 'must be given only once');
    headers.set(name.toLowerCase(), text);
  }
  return Object.fromEntries(headers);
}

function readAccepted(fields: JsonObject): GatewayConfig['accepted'] {
  const { statuses, optionalPath } = readFields('accepted', fields);
  return { statuses: statuses('statuses', 200), id_path: optionalPath('id_path') };
}

function readRefused(fields: JsonObject): NonNullable<GatewayConfig['refused']> {
  const { statuses, optionalPath } = readFields('refused', fields);
  return {
    // After a 408, the gateway may have received the whole request.
    statuses: statuses('statuses', 400, [408]),
    code_path: optionalPath('code_path'),
    detail_path: optionalPath('detail_path'),
  };
}

function readStatusWebhook(fields: JsonObject): NonNullable<GatewayConfig['status_webhook']> {
  const { path } = readFields('status_webhook', fields);
  return {
    id_path: path('id_path'),
    status_path: path('status_path'),
    map: readMap(fields['map']),
  };
}

function readMap(value: unknown): Record<string, MessageStatus> {
  const parameter = 'status_webhook.map';
  const given = Object.entries(requireObject(value, parameter));
  if (given.length === 0 || given.length > MAX_WORDS || given.some(([word]) => word.length > 64)) {
    throw invalid(parameter, `must map 1 to ${MAX_WORDS} statuses of at most 64 characters`);
  }
  return Object.fromEntries(
    given.map(([word, status]) => {
      if (isMessageStatus(status) && (STATUSES as readonly string[]).includes(status)) {
        return [word, status];
      }
      throw invalid(`${parameter}.${word}`, `must be one of ${STATUSES.join(', ')}`);
    }),
  );
}

function readInboundWebhook(fields: JsonObject): NonNullable<GatewayConfig['inbound_webhook']> {
  const { path, optionalPath, optionalPattern } = readFields('inbound_webhook', fields);
  const expected = 'a phone number in E.164 form, such as +15551234567, or a short code';
  const toPath = optionalPath('to_path');
  const to = optionalPattern('to', SENDER, expected);
  if (toPath === null && to === null) throw missing('inbound_webhook.to_path');
  return {
    id_path: optionalPath('id_path'),
    from_path: path('from_path'),
    to_path: toPath,
    to,
    body_path: path('body_path'),
  };
}

function readSigning(fields: JsonObject): NonNullable<GatewayConfig['signing']> {
  const { text, choice, optionalPattern } = readFields('signing', fields);
  const header = optionalPattern(
    'header',
    HEADER_NAME,
    'the name of a header, for example X-Signature',
  );
  const timestampHeader = optionalPattern(
    'timestamp_header',
    HEADER_NAME,
    'the name of a header, for example X-Timestamp',
  );
  if (header === null) throw missing('signing.header');
  const secret = text('secret', 1_024);
  if (secret.length < SHORTEST_SECRET) {
    throw invalid('signing.secret', `must have at least ${SHORTEST_SECRET} characters`);
  }
  return {
    header: header.toLowerCase(),
    secret,
    algorithm: choice('algorithm', ALGORITHMS),
    timestamp_header: timestampHeader?.toLowerCase() ?? null,
  };
}
