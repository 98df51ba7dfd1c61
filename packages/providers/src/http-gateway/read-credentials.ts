import { type NewCredentials, createUuidV7 } from '@switchboard/core';
import type { JsonObject } from '../http/parse-object.ts';
import { toLast4 } from '../to-last4.ts';
import { checkTemplate } from './check-template.ts';
import type { GatewayConfig, Parameters } from './config.ts';
import { invalid, isAbsent, missing, readFields, requireObject } from './read-fields.ts';
import { readInboundWebhook, readStatusWebhook } from './read-webhook-sections.ts';

const METHODS = ['POST', 'PUT', 'GET'] as const;
const ALGORITHMS = ['hmac-sha256'] as const;
const HEADER_NAME = /^[\w-]{1,64}$/;
const MAX_HEADERS = 20;
const MAX_PARAMETERS = 10;
const PARAMETER_NAME = /^[\w.-]{1,64}$/;
const PARAMETER_VALUE = /^(?!.*\{\{)[\x20-\x7e]{0,256}$/;
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
  checkTemplate(config);
  if (config.signing === null && (config.status_webhook ?? config.inbound_webhook) !== null) {
    // Without a signature, anyone could report statuses and received messages.
    throw missing('signing');
  }
  const secret = JSON.stringify(config);
  return {
    account: {
      vendorAccountId: currentId ?? `http-${createUuidV7(Date.now())}`,
      secret,
      senderPool: null,
    },
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
    unless_gsm7: readParameters(fields['unless_gsm7']),
  };
}

/** Reads parameters as an object or, as manuals of gateways write them, as `coding=2&charset=UTF-8`. */
function readParameters(value: unknown): Parameters | null {
  const parameter = 'send.unless_gsm7';
  if (isAbsent(value)) return null;
  const given = Object.entries(
    typeof value === 'string'
      ? Object.fromEntries(new URLSearchParams(value))
      : requireObject(value, parameter),
  );
  if (given.length === 0 || given.length > MAX_PARAMETERS) {
    throw invalid(parameter, `must have 1 to ${MAX_PARAMETERS} parameters`);
  }
  const parameters = new Map<string, Parameters[string]>();
  for (const [name, each] of given) {
    if (!PARAMETER_NAME.test(name)) {
      throw invalid(parameter, 'must have names of 1 to 64 letters, digits, `_`, `.` and `-`');
    }
    const isPlain = typeof each === 'number' || typeof each === 'boolean';
    if (!isPlain && !(typeof each === 'string' && PARAMETER_VALUE.test(each))) {
      const expected = 'must be a number, true, false or at most 256 printable ASCII characters';
      throw invalid(`${parameter}.${name}`, `${expected} without \`{{\``);
    }
    parameters.set(name, each);
  }
  return Object.fromEntries(parameters);
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
  const { statuses, optionalPath, optionalText } = readFields('accepted', fields);
  return {
    statuses: statuses('statuses', 200),
    id_path: optionalPath('id_path'),
    id_after: optionalText('id_after', 64),
  };
}

function readRefused(fields: JsonObject): NonNullable<GatewayConfig['refused']> {
  const { statuses, optionalPath, optionalTexts } = readFields('refused', fields);
  const path = optionalPath('path');
  const startsWith = optionalTexts('starts_with');
  const isByBody = (path ?? startsWith) !== null;
  return {
    // After a 408, the gateway may have received the whole request.
    statuses: isByBody && hasNone(fields['statuses']) ? [] : statuses('statuses', 400, [408]),
    code_path: optionalPath('code_path'),
    detail_path: optionalPath('detail_path'),
    path,
    success_values: optionalTexts('success_values'),
    starts_with: startsWith,
  };
}

function hasNone(list: unknown): boolean {
  return isAbsent(list) || (Array.isArray(list) && list.length === 0);
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
