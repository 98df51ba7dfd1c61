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
import { findDecoder, readCharset } from '../http/decode-body.ts';
import { readErrorCode } from '../http/read-error.ts';
import { readText } from '../http/read-text.ts';
import { readMessageText, requireAddress } from '../http/webhook-values.ts';
import { contextOf, readNumber } from '../numbers/read-number.ts';
import { type GatewayConfig, openConfig } from './config.ts';
import { isOtherThanMessage, isOtherThanStatus } from './event-kind.ts';
import { usesPlaceholder } from './render-request.ts';
import { isSigned, readStatusUrl } from './signature.ts';
import {
  type ParsedBody,
  type ValuePath,
  findValue,
  isIdentifier,
  namePath,
  parseBytes,
  readPath,
  toText,
} from './value-path.ts';

/** Statuses of a message that was not delivered. */
const FAILURES: ReadonlySet<string> = new Set(['undelivered', 'failed', 'canceled']);

export function readStatusCallback(
  account: ProviderAccount,
  request: WebhookRequest,
): WebhookOutcome<StatusCallback> {
  return readSigned(account, request, (config, body, secret) => {
    const { status_webhook: paths } = config;
    if (paths === null || isOtherThanStatus(config, body)) return null;
    const sid = requireIdentifier(body, paths.id_path);
    const rawStatus = requireText(body, paths.status_path);
    const status = Object.hasOwn(paths.map, rawStatus) ? (paths.map[rawStatus] ?? null) : null;
    const errorCode = readErrorCode(readPath(body, paths.code_path));
    // Many gateways describe every status. Without a code, only the words about a failure are an error.
    const isFailure = status === null || FAILURES.has(status);
    return {
      messageId: readOwnId(config, sid) ?? readStatusUrl(secret, request.url),
      sid,
      vendorAccountId: account.vendorAccountId,
      status,
      rawStatus: rawStatus.slice(0, 64),
      from: null,
      errorCode,
      errorDetail:
        errorCode !== null || isFailure ? readText(readPath(body, paths.detail_path)) : null,
      isOptOut: false,
    };
  });
}

export function readInbound(
  account: ProviderAccount,
  request: WebhookRequest,
): WebhookOutcome<InboundMessage> {
  return readSigned(account, request, (config, body) => {
    const { inbound_webhook: paths } = config;
    if (paths === null || isOtherThanMessage(config, body)) return null;
    const reported = readPath(body, paths.to_path) ?? paths.to;
    const to = readNumber(
      requireAddress({ name: nameFirst(paths.to_path ?? 'inbound_webhook.to'), value: reported }),
      contextOf(account, paths.to),
    );
    const sender = requireText(body, paths.from_path);
    const from = requireAddress({ name: nameFirst(paths.from_path), value: sender });
    const text = readMessageText(requireValue(body, paths.body_path));
    return {
      sid: readIdentity(paths, body, request.body),
      vendorAccountId: account.vendorAccountId,
      to,
      from: readNumber(from, contextOf(account, to)),
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

/** Identifies a received message, which a gateway may report twice under two identifiers of the event. */
function readIdentity(
  paths: NonNullable<GatewayConfig['inbound_webhook']>,
  body: ParsedBody,
  bytes: Uint8Array,
): string {
  const { id_path: idPath, identity_paths: identityPaths } = paths;
  const parts = (identityPaths ?? []).map((path) => readPath(body, path));
  const absent = (identityPaths ?? []).find((_path, index) => parts[index] === null);
  if (parts.length > 0 && absent === undefined) return hash(JSON.stringify(parts));
  if (idPath !== null) return requireIdentifier(body, idPath);
  return absent === undefined ? hash(bytes) : requireText(body, absent);
}

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Parses a webhook with a valid signature. `read` returns null for an event of another kind. */
function readSigned<Content>(
  account: ProviderAccount,
  request: WebhookRequest,
  read: (config: GatewayConfig, body: ParsedBody, secret: string) => Content | null,
): WebhookOutcome<Content> {
  const config = openConfig(account);
  const { signing } = config;
  if (signing === null || !isSigned(signing, request, Date.now())) return { kind: 'forged' };
  try {
    const body = parseRequest(request);
    const content = read(config, body, signing.secret);
    if (content !== null) return { kind: 'read', content };
    return { kind: 'ignored', event: nameEvent(config, body) };
  } catch (error) {
    if (error instanceof AppError) return { kind: 'invalid', error };
    throw error;
  }
}

function parseRequest({ headers, body }: WebhookRequest): ParsedBody {
  const type = headers['content-type'];
  const charset = readCharset(type);
  if (charset !== null && findDecoder(charset) === null) {
    throw new AppError('invalid_params', `The charset of \`Content-Type\` is unknown: ${charset}`);
  }
  const parsed = parseBytes(body, typeof type === 'string' ? type : '');
  if (parsed.kind !== 'text') return parsed;
  throw new AppError('invalid_params', 'The request body must be a JSON object or a form');
}

/** Names an event in the log. */
function nameEvent(config: GatewayConfig, body: ParsedBody): string {
  const word =
    readPath(body, config.inbound_webhook?.event_path) ??
    readPath(body, config.status_webhook?.status_path);
  return readText(word)?.slice(0, 64) ?? 'unknown';
}

/** Errors name one parameter. */
function nameFirst(path: ValuePath): string {
  return [path].flat()[0] ?? '';
}

/** Returns the text at a path, which may be empty. */
function requireValue(body: ParsedBody, path: ValuePath): string {
  const value = findValue(body, path);
  if (value === undefined) {
    throw new AppError('missing_params', `Missing required parameter: ${namePath(path)}`);
  }
  const text = toText(value);
  if (text !== null) return text;
  throw new AppError('invalid_params', `${namePath(path)} must be a string`);
}

function requireText(body: ParsedBody, path: ValuePath): string {
  const text = requireValue(body, path);
  if (text === '') {
    throw new AppError('missing_params', `Missing required parameter: ${namePath(path)}`);
  }
  if (!/\p{Cc}/u.test(text) && text.isWellFormed()) return text;
  throw new AppError('invalid_params', `${namePath(path)} must not contain control characters`);
}

function requireIdentifier(body: ParsedBody, path: ValuePath): string {
  const value = requireText(body, path);
  if (isIdentifier(value)) return value;
  throw new AppError(
    'invalid_params',
    `${namePath(path)} must be an identifier of at most 128 printable ASCII characters`,
  );
}
