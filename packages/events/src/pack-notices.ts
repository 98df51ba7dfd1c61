import type { BusNotice } from '@switchboard/core';

/** PostgreSQL's NOTIFY carries less than 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_000;

/**
 * Packs notices, in their order, into as few payloads as fit: JSON arrays of them, each after its
 * sender's name.
 */
export function packNotices(sender: string, notices: readonly BusNotice[]): string[] {
  const head = headOf(sender);
  const payloads: string[] = [];
  let parts = [head];
  let bytes = Buffer.byteLength(head) + 1;
  for (const notice of notices) {
    const part = JSON.stringify(notice);
    const partBytes = Buffer.byteLength(part) + 1; // Its comma or bracket.
    if (partBytes >= MAX_PAYLOAD_BYTES) {
      throw new RangeError(`A notice of kind ${notice.kind} is too large: ${partBytes} bytes.`);
    }
    if (parts.length > 1 && bytes + partBytes >= MAX_PAYLOAD_BYTES) {
      payloads.push(`${parts.join(',')}]`);
      parts = [head];
      bytes = Buffer.byteLength(head) + 1;
    }
    parts.push(part);
    bytes += partBytes;
  }
  if (parts.length > 1) payloads.push(`${parts.join(',')}]`);
  return payloads;
}

/** Known without taking the payload apart. */
export function isSentBy(sender: string, payload: string): boolean {
  return payload.startsWith(headOf(sender));
}

function headOf(sender: string): string {
  return `[${JSON.stringify(sender)}`;
}

/**
 * Kinds that this version does not know are left out: a newer one may be running beside it. So is
 * the sender's name.
 */
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
