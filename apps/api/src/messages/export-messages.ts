import {
  MESSAGE_COLUMNS,
  type MessageColumn,
  type NumberFormat,
  toMessage,
} from '@switchboard/contracts';
import type { MessageFilter, ReadMessagesAfter, StoredMessage } from '@switchboard/database';
import { CSV_START, toCsvLine, toNumberCell, toSafeCell, writeRows } from '../wire/to-csv-line.ts';

const PAGE_SIZE = 100;

/** Writes the matching messages of a workspace as CSV, one page of messages at a time. */
export async function* exportMessages(
  readAfter: ReadMessagesAfter,
  workspaceId: string,
  filter: MessageFilter,
  format: NumberFormat = 'e164',
): AsyncGenerator<string, void, undefined> {
  yield `${CSV_START}${toCsvLine(MESSAGE_COLUMNS)}`;
  let after: string | null = null;
  for (;;) {
    const messages: StoredMessage[] = await readAfter(workspaceId, filter, {
      after,
      size: PAGE_SIZE,
    });
    yield* writeRows(messages, (message) => toCsvLine(toCells(message, format)));
    after = messages.at(-1)?.id ?? null;
    if (after === null || messages.length < PAGE_SIZE) return;
  }
}

function toCells(stored: StoredMessage, format: NumberFormat): string[] {
  const message = toMessage(stored);
  const { sent_by: sender } = message;
  const cells: Record<MessageColumn, string | number | null> = {
    ...message,
    from: toNumberCell(message.from, format),
    to: toNumberCell(message.to, format),
    body: toSafeCell(message.body),
    media_urls: toSafeCell(message.media.map(({ url }) => url).join(' ')),
    error_code: toSafeCell(message.error_code ?? ''),
    error_detail: toSafeCell(message.error_detail ?? ''),
    sent_by_type: sender?.type ?? null,
    sent_by_id: sender?.id ?? null,
    sent_by_name: toSafeCell(sender?.name ?? ''),
    provider_sid: toSafeCell(message.provider_sid ?? ''),
    reference: toSafeCell(message.reference ?? ''),
    metadata: stored.metadata === null ? null : JSON.stringify(stored.metadata),
  };
  return MESSAGE_COLUMNS.map((column) => String(cells[column] ?? ''));
}
