import type { ProviderAccount } from '@switchboard/core';
import { toLast4 } from '../to-last4.ts';
import { PUBLIC_HEADERS } from './complete-credentials.ts';
import { type GatewayConfig, openConfig } from './config.ts';
import { listPlaceholders, readBodyFormat } from './template.ts';

const HIDDEN = '••••';

/**
 * Describes a gateway without its secrets. The values of headers are secrets, as is each value of the
 * query and of the body that has no placeholder, because it may be a password or a token.
 */
export function describeCredentials(account: ProviderAccount): Record<string, string | null> {
  const { send, accepted, refused, signing, ...webhooks } = openConfig(account);
  const { status_webhook: status, inbound_webhook: inbound } = webhooks;
  return {
    'send.method': send.method,
    'send.url': hideQuery(send.url),
    ...Object.fromEntries(Object.entries(send.headers).map(describeHeader)),
    'send.body': send.body === null ? null : hideBody(send.body, send.headers),
    'send.unless_gsm7': describe(send.unless_gsm7),
    ...describeSection('accepted', accepted),
    ...describeSection('refused', refused),
    ...describeSection('status_webhook', status),
    ...describeSection('inbound_webhook', inbound),
    ...(signing !== null && {
      'signing.header': signing.header,
      'signing.timestamp_header': signing.timestamp_header,
      'signing.algorithm': signing.algorithm,
      'signing.secret_last4': toLast4(signing.secret),
    }),
  };
}

function describeSection(name: string, section: object | null): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(section ?? {}).map(([field, value]) => [`${name}.${field}`, describe(value)]),
  );
}

/** Describes a value that is no secret. Lists of texts and numbers are shown as users write them in a sentence. */
function describe(value: unknown): string | null {
  if (value === undefined || value === null || typeof value === 'string') return value ?? null;
  const isFlat = Array.isArray(value) && !value.some(Array.isArray);
  return isFlat ? value.join(', ') : JSON.stringify(value);
}

function describeHeader([name, value]: [string, string]): [string, string] {
  return PUBLIC_HEADERS.has(name)
    ? [`send.headers.${name}`, value]
    : [`send.headers.${name}_last4`, toLast4(value)];
}

function hideText(value: string): string {
  return listPlaceholders(value).length === 0 && value !== '' ? HIDDEN : value;
}

/** Hides the values in `a=1&b=2`. */
function hidePairs(text: string): string {
  return text
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return value.length === 0 ? hideText(name) : `${name}=${hideText(value.join('='))}`;
    })
    .join('&');
}

function hideQuery(url: string): string {
  const [path = '', ...query] = url.split('?');
  return query.length === 0 ? path : `${path}?${hidePairs(query.join('?'))}`;
}

function hideBody(body: string, headers: GatewayConfig['send']['headers']): string {
  switch (readBodyFormat(headers['content-type'] ?? '')?.type) {
    case 'json':
      return JSON.stringify(JSON.parse(body), (_name, value: unknown) =>
        typeof value === 'string' || typeof value === 'number' ? hideText(String(value)) : value,
      );
    case 'form':
      return hidePairs(body);
    default:
      return hideText(body);
  }
}
