import type { BusNotice } from '@switchboard/core';

/** PostgreSQL's NOTIFY carries less than 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_000;

/** Packs notices, in their order, into as few payloads as fit: JSON arrays of them. */
export function packNotices(notices: readonly BusNotice[]): string[] {
  const payloads: string[] = [];
  let parts: string[] = [];
  let bytes = 0;
  for (const notice of notices) {
    const part = JSON.stringify(notice);
    const partBytes = Buffer.byteLength(part) + 1; // Its comma or bracket.
    if (partBytes >= MAX_PAYLOAD_BYTES) {
      throw new RangeError(`A notice of kind ${notice.kind} is too large: ${partBytes} bytes.`);
    }
    if (bytes + partBytes >= MAX_PAYLOAD_BYTES) {
      payloads.push(`[${parts.join(',')}]`);
      parts = [];
      bytes = 0;
    }
    parts.push(part);
    bytes += partBytes;
  }
  if (parts.length > 0) payloads.push(`[${parts.join(',')}]`);
  return payloads;
}

/** Kinds that this version does not know are left out: a newer one may be running beside it. */
export function unpackNotices(payload: string): BusNotice[] {
  const parsed: unknown = JSON.parse(payload);
  if (!Array.isArray(parsed)) throw new TypeError('A payload of the bus is no list.');
  return parsed.filter(isNotice);
}

function isNotice(value: unknown): value is BusNotice {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  const hasText = (...names: string[]) => names.every((name) => typeof fields[name] === 'string');
  switch (fields['kind'] as BusNotice['kind']) {
    case 'message':
      return hasText('workspaceId', 'messageId') && Number.isSafeInteger(fields['seq']);
    case 'session_ended':
      return hasText('sessionId');
    case 'api_key_revoked':
      return hasText('apiKeyId');
    case 'member_removed':
      return hasText('workspaceId', 'userId');
    default:
      return false;
  }
}
