import type { ProviderAccount } from '@switchboard/core';
import { toLast4 } from '../http/read-credential.ts';
import { PUBLIC_HEADERS } from './complete-credentials.ts';
import { type GatewayConfig, openConfig } from './config.ts';
import { listPlaceholders, readBodyType } from './template.ts';

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
    'accepted.statuses': accepted.statuses.join(', '),
    'accepted.id_path': accepted.id_path,
    ...(refused !== null && {
      'refused.statuses': refused.statuses.join(', '),
      'refused.code_path': refused.code_path,
      'refused.detail_path': refused.detail_path,
    }),
    ...(status !== null && {
      'status_webhook.id_path': status.id_path,
      'status_webhook.status_path': status.status_path,
      'status_webhook.map': JSON.stringify(status.map),
    }),
    ...(inbound !== null && {
      'inbound_webhook.id_path': inbound.id_path,
      'inbound_webhook.from_path': inbound.from_path,
      'inbound_webhook.to_path': inbound.to_path,
      'inbound_webhook.to': inbound.to,
      'inbound_webhook.body_path': inbound.body_path,
    }),
    ...(signing !== null && {
      'signing.header': signing.header,
      'signing.timestamp_header': signing.timestamp_header,
      'signing.algorithm': signing.algorithm,
      'signing.secret_last4': toLast4(signing.secret),
    }),
  };
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
  switch (readBodyType(headers['content-type'] ?? '')) {
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
