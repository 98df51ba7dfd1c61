import {
  AppError,
  type InboundMessage,
  type ProviderAccount,
  type StatusCallback,
  type WebhookOutcome,
  type WebhookRequest,
} from '@switchboard/core';

import { decodeBody } from '../http/decode-body.ts';
import { readMessageId } from '../webhook-addresses.ts';
import { parseInbound, parseStatusCallback } from './parse-webhook.ts';
import { type FormFields, isSigned } from './signature.ts';

const SIGNATURE_HEADER = 'x-twilio-signature';

export function hasSignature({ headers }: Pick<WebhookRequest, 'headers'>): boolean {
  return typeof headers[SIGNATURE_HEADER] === 'string';
}

export function readStatusCallback(
  account: ProviderAccount,
  request: WebhookRequest,
): WebhookOutcome<StatusCallback> {
  const outcome = readSigned(account, request, parseStatusCallback, [
    'MessageSid',
    'MessageStatus',
    'AccountSid',
  ]);
  if (outcome.kind !== 'read') return outcome;
  const messageId = readMessageId(request.url);
  return { kind: 'read', content: { ...outcome.content, messageId } };
}

export function readInbound(
  account: ProviderAccount,
  request: WebhookRequest,
): WebhookOutcome<InboundMessage> {
  return readSigned(account, request, parseInbound, ['MessageSid', 'From', 'To', 'AccountSid']);
}

/**
 * Parses a request that is signed with the account's token; `required` only appears in the error.
 */
function readSigned<Content extends { vendorAccountId: string }>(
  account: ProviderAccount,
  request: WebhookRequest,
  parse: (fields: FormFields, receiver: ProviderAccount) => Content | null,
  required: readonly string[],
): WebhookOutcome<Content> {
  const signature = request.headers[SIGNATURE_HEADER];
  if (typeof signature !== 'string') return { kind: 'forged' };
  const { url, body } = request;
  const fields: FormFields = [...new URLSearchParams(decodeBody(body))];
  if (!isSigned(account.secret, { url, signature, fields })) return { kind: 'forged' };
  try {
    // The signature covers the original text, so NUL is removed afterwards; PostgreSQL can't store
    // it.
    const content = parse(
      fields.map(([name, value]) => [name, value.replaceAll('\0', '\uFFFD')] as const),
      account,
    );
    if (content === null) {
      const names = required.map((name) => `\`${name}\``).join(', ');
      const error = new AppError('missing_params', `Missing required parameters: ${names}`);
      return { kind: 'invalid', error };
    }
    return content.vendorAccountId === account.vendorAccountId
      ? { kind: 'read', content }
      : { kind: 'forged' };
  } catch (error) {
    if (error instanceof AppError) return { kind: 'invalid', error };
    throw error;
  }
}
