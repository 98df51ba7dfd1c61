import { isHandset } from '../senders/receive-messages.ts';
import type { SendRecord } from '../senders/send-messages.ts';
import { isRefusal } from '../senders/send-messages.ts';
import type { StoredKey, StoredMessage } from './read-database.ts';
import type { Violation } from './violation.ts';

/** Compares the responses that programs received with the stored rows. */
export function checkAnswers(
  records: readonly SendRecord[],
  workspaceIds: readonly string[],
  messages: readonly StoredMessage[],
  keys: readonly StoredKey[],
): Violation[] {
  const violations: Violation[] = [];
  const rows = new Set(messages.map(({ id }) => id));
  const messageOf = new Map(keys.map((key) => [nameOf(key.workspaceId, key.key), key.messageId]));
  const keyed = new Set(keys.map(({ messageId }) => messageId));

  for (const { planned, attempts } of records) {
    const name = nameOf(workspaceIds[planned.workspace] ?? '', planned.key);
    const messageId = messageOf.get(name) ?? null;
    const ids = messageId === null ? [] : [messageId];
    const report = (check: Violation['check'], detail: string) =>
      violations.push({ check, detail: `${planned.key} ${detail}`, messageIds: ids });

    const accepted = attempts.filter(({ status }) => status === 201).map(({ text }) => text);
    const [first] = accepted;
    if (first !== undefined) {
      const { id } = JSON.parse(first) as { id: string };
      if (!rows.has(id)) report('lost', `was accepted as ${id}, but no row has this id`);
      else if (id !== messageId)
        report('idempotency', `was answered with ${id}, but its key belongs to ${messageId}`);
      if (new Set(accepted).size > 1) {
        report('idempotency', `got several answers: ${[...new Set(accepted)].join(' and ')}`);
      }
    } else if (!planned.givesUp) {
      report('answer', `was never accepted: ${attempts.at(-1)?.text}`);
    } else if (messageId !== null && attempts.every(({ status }) => status === 503)) {
      report('answer', `has a row although the response was 503`);
    }
    for (const attempt of attempts.filter(isRefusal)) {
      report('answer', `was refused with ${attempt.status}: ${attempt.text}`);
    }
  }
  for (const { id, to } of messages) {
    // Messages to handsets are the service's keyword replies, which have no key.
    if (keyed.has(id) || isHandset(to)) continue;
    const detail = `${id} has no Idempotency-Key, although every request had one`;
    violations.push({ check: 'idempotency', detail, messageIds: [id] });
  }
  return violations;
}

function nameOf(workspaceId: string, key: string): string {
  return `${workspaceId}/${key}`;
}
