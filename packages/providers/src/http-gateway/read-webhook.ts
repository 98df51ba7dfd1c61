import { createHash } from 'node:crypto';
import {
  AppError,
  type InboundMessage,
  type ProviderAccount,
  type StatusCallback,
  type WebhookOutcome,
  type WebhookRequest,
  countSegments,
  isUuid,
} from '@switchboard/core';
import { readMessageText, requireAddress } from '../http/webhook-values.ts';
import { readNumber } from '../numbers/read-number.ts';
import { type GatewayConfig, openConfig } from './config.ts';
import { usesPlaceholder } from './render-request.ts';
import { isSigned, readStatusUrl } from './signature.ts';
import { type ParsedBody, isIdentifier, parseBody, readPath } from './value-path.ts';

export function readStatusCallback(
  account: ProviderAccount,
  request: WebhookRequest,
): WebhookOutcome<StatusCallback> {
  return readSigned(account, request, (config, body, secret) => {
    const { status_webhook: paths } = config;
    if (paths === null) return null;
    const sid = requireIdentifier(body, paths.id_path);
    const rawStatus = requirePath(body, paths.status_path);
    return {
      messageId: readOwnId(config, sid) ?? readStatusUrl(secret, request.url),
      sid,
      account: account.id,
      status: Object.hasOwn(paths.map, rawStatus) ? (paths.map[rawStatus] ?? null) : null,
      rawStatus: rawStatus.slice(0, 64),
      from: null,
      errorCode: null,
      errorDetail: null,
      isOptOut: false,
    };
  });
}

export function readInbound(
  account: ProviderAccount,
  request: WebhookRequest,
): WebhookOutcome<InboundMessage> {
  return readSigned(account, request, ({ inbound_webhook: paths }, body) => {
    if (paths === null) return null;
    const reported = (paths.to_path === null ? null : readPath(body, paths.to_path)) ?? paths.to;
    const to = readNumber(
      requireAddress({ name: paths.to_path ?? 'inbound_webhook.to', value: reported }),
      { own: paths.to },
    );
    const from = requireAddress({ name: paths.from_path, value: readPath(body, paths.from_path) });
    const text = readMessageText(readPath(body, paths.body_path));
    return {
      sid: paths.id_path === null ? hash(request.body) : requireIdentifier(body, paths.id_path),
      account: account.id,
      to,
      from: readNumber(from, { own: to }),
      body: text,
      media: [],
      segments: countSegments(text).segments,
      providerKeyword: null,
    };
  });
}

/** The gateway may use our id as its identifier. */
function readOwnId(config: GatewayConfig, sid: string): string | null {
  return isUuid(sid) && usesPlaceholder(config, 'id') ? sid : null;
}

function hash(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Parses a webhook with a valid signature. `read` returns null if the account expects none of its kind. */
function readSigned<Content>(
  account: ProviderAccount,
  request: WebhookRequest,
  read: (config: GatewayConfig, body: ParsedBody, secret: string) => Content | null,
): WebhookOutcome<Content> {
  const config = openConfig(account);
  const { signing } = config;
  if (signing === null || !isSigned(signing, request, Date.now())) return { kind: 'forged' };
  try {
    const contentType = request.headers['content-type'];
    const body = parseBody(request.body, typeof contentType === 'string' ? contentType : '');
    if (body === null) throw new AppError('invalid_params', 'The request body must be JSON');
    const content = read(config, body, signing.secret);
    return content === null ? { kind: 'forged' } : { kind: 'read', content };
  } catch (error) {
    if (error instanceof AppError) return { kind: 'invalid', error };
    throw error;
  }
}

function requirePath(body: ParsedBody, path: string): string {
  const value = readPath(body, path);
  if (value !== null && !/\p{Cc}/u.test(value) && value.isWellFormed()) return value;
  throw new AppError(
    value === null ? 'missing_params' : 'invalid_params',
    value === null
      ? `Missing required parameter: \`${path}\``
      : `\`${path}\` must not contain control characters`,
  );
}

function requireIdentifier(body: ParsedBody, path: string): string {
  const value = requirePath(body, path);
  if (isIdentifier(value)) return value;
  throw new AppError(
    'invalid_params',
    `\`${path}\` must be an identifier of at most 128 printable ASCII characters`,
  );
}
