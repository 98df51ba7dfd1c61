import type { BusNotification } from '@switchboard/core';

/** A payload of PostgreSQL's NOTIFY must be shorter than 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_000;

/**
 * Packs notifications in order into as few payloads as possible. A payload is a JSON array of the
 * sender's id and its notifications.
 */
export function packNotifications(
  sender: string,
  notifications: readonly BusNotification[],
): string[] {
  const head = headOf(sender);
  const payloads: string[] = [];
  let parts = [head];
  let bytes = Buffer.byteLength(head) + 1;
  for (const notification of notifications) {
    const part = JSON.stringify(notification);
    const partBytes = Buffer.byteLength(part) + 1; // Includes its comma or bracket.
    if (partBytes >= MAX_PAYLOAD_BYTES) {
      throw new RangeError(
        `A notification of kind ${notification.kind} is too large: ${partBytes} bytes.`,
      );
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

/** Compares the sender without parsing the payload. */
export function isSentBy(sender: string, payload: string): boolean {
  return payload.startsWith(headOf(sender));
}

function headOf(sender: string): string {
  return `[${JSON.stringify(sender)}`;
}

/**
 * Returns the notifications of a payload. Unknown kinds are ignored, because a newer version may run
 * at the same time.
 */
export function unpackNotifications(payload: string): BusNotification[] {
  const parsed: unknown = JSON.parse(payload);
  if (!Array.isArray(parsed))
    throw new TypeError('The payload of a bus message must be a JSON array.');
  return parsed.filter(isNotification);
}

function isNotification(value: unknown): value is BusNotification {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  const hasText = (...names: string[]) => names.every((name) => typeof fields[name] === 'string');
  const hasTextOrNull = (name: string) => fields[name] === null || hasText(name);
  switch (fields['kind'] as BusNotification['kind']) {
    case 'message':
      return hasText('workspaceId', 'messageId') && Number.isSafeInteger(fields['seq']);
    case 'inbox':
      return hasText('workspaceId', 'number') && hasTextOrNull('noteId');
    case 'typing':
      return (
        hasText('workspaceId', 'number', 'userId', 'userName') &&
        typeof fields['isTyping'] === 'boolean'
      );
    case 'session_ended':
      return hasText('sessionId');
    case 'api_key_revoked':
      return hasText('apiKeyId');
    case 'member_removed':
      return hasText('workspaceId', 'userId');
    case 'access_changed':
      return hasText('id');
    case 'webhooks_changed':
      return hasText('workspaceId');
    case 'hint':
      return hasText('workerId', 'messageId', 'workspaceId') && hasTextOrNull('requestId');
    default:
      return false;
  }
}
