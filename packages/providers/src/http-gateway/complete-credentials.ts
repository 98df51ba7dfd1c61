import type { ProviderAccount } from '@switchboard/core';
import { type JsonObject, toObject } from '../http/parse-object.ts';
import { type GatewayConfig, openConfig } from './config.ts';
import { invalid } from './read-fields.ts';

const SECTIONS = [
  'send',
  'accepted',
  'refused',
  'status_webhook',
  'inbound_webhook',
  'signing',
] as const satisfies (keyof GatewayConfig)[];

/**
 * Adds what a change omits: whole sections, fields of a section, and the values of headers that are
 * null. A null section is removed. If the origin changes, the owner must enter the values of
 * headers, query and body again: otherwise a change of the address would reveal them.
 *
 * @throws AppError `invalid_params`
 */
export function completeCredentials(input: JsonObject, current: ProviderAccount): JsonObject {
  const stored = openConfig(current);
  const completed = Object.fromEntries(
    SECTIONS.map((name) => [name, completeSection(input[name], stored[name])]),
  );
  const given = toObject(input['send']);
  if ('send' in input && Object.keys(given).length > 0) {
    completed['send'] = { ...toObject(completed['send']), headers: completeHeaders(given, stored) };
    assertSameOrigin(given, stored);
  }
  return completed;
}

function completeSection(given: unknown, stored: object | null): unknown {
  if (given === undefined) return stored;
  const isSection = typeof given === 'object' && given !== null && !Array.isArray(given);
  return isSection ? { ...stored, ...given } : given;
}

function completeHeaders(given: JsonObject, { send }: GatewayConfig): unknown {
  if (!('headers' in given)) return send.headers;
  const { headers } = given;
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return headers;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]: [string, unknown]) => [
      name,
      value ?? send.headers[name.toLowerCase()] ?? value,
    ]),
  );
}

function assertSameOrigin(given: JsonObject, { send }: GatewayConfig): void {
  const { url, headers, body } = given;
  if (typeof url !== 'string' || readOrigin(url) === readOrigin(send.url)) return;
  const isKept = (value: unknown) => value === undefined || value === null;
  const keepsHeaders = headers === undefined || Object.values(toObject(headers)).some(isKept);
  if (keepsHeaders && Object.keys(send.headers).some((name) => !PUBLIC_HEADERS.has(name))) {
    throw invalid('send.headers', 'must be given with all values, because the address has changed');
  }
  if (body === undefined && send.body !== null) {
    throw invalid('send.body', 'must be given, because the address has changed');
  }
}

/** Headers whose values are not secret. */
export const PUBLIC_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type']);

function readOrigin(url: string): string {
  return /^[^:]*:\/\/[^/?#]*/.exec(url)?.[0].toLowerCase() ?? '';
}
