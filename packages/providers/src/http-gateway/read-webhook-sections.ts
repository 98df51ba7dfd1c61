import { type MessageStatus, isMessageStatus } from '@switchboard/core';
import type { JsonObject } from '../http/parse-object.ts';
import type { GatewayConfig } from './config.ts';
import { invalid, missing, readFields, requireObject } from './read-fields.ts';

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
const SENDER = /^(\+[1-9]\d{6,14}|\d{3,8})$/;
const MAX_WORDS = 50;

/** @throws AppError that names the parameter */
export function readStatusWebhook(
  fields: JsonObject,
): NonNullable<GatewayConfig['status_webhook']> {
  const { path, optionalPath } = readFields('status_webhook', fields);
  return {
    id_path: path('id_path'),
    status_path: path('status_path'),
    map: readMap(fields['map']),
    code_path: optionalPath('code_path'),
    detail_path: optionalPath('detail_path'),
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

/** @throws AppError that names the parameter */
export function readInboundWebhook(
  fields: JsonObject,
): NonNullable<GatewayConfig['inbound_webhook']> {
  const { path, optionalPath, optionalPaths, optionalPattern, optionalTexts } = readFields(
    'inbound_webhook',
    fields,
  );
  const expected = 'a phone number in E.164 form, such as +15551234567, or a short code';
  const toPath = optionalPath('to_path');
  const to = optionalPattern('to', SENDER, expected);
  if (toPath === null && to === null) throw missing('inbound_webhook.to_path');
  const eventPath = optionalPath('event_path');
  const events = optionalTexts('events');
  if (eventPath !== null && events === null) throw missing('inbound_webhook.events');
  if (eventPath === null && events !== null) throw missing('inbound_webhook.event_path');
  return {
    id_path: optionalPath('id_path'),
    identity_paths: optionalPaths('identity_paths'),
    from_path: path('from_path'),
    to_path: toPath,
    to,
    body_path: path('body_path'),
    event_path: eventPath,
    events,
  };
}
