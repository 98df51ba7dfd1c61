import { MESSAGE_COLUMNS, type MessageColumn, toMessage } from '@switchboard/contracts';
import { isPhoneNumber } from '@switchboard/core';
import type { MessageFilter, ReadMessagesAfter, StoredMessage } from '@switchboard/database';
import { CSV_START, toCsvLine, toSafeCell, writeRows } from '../wire/to-csv-line.ts';

const PAGE_SIZE = 100;

/** Writes the matching messages of a workspace as CSV, one page of messages at a time. */
export async function* exportMessages(
  readAfter: ReadMessagesAfter,
  workspaceId: string,
  filter: MessageFilter,
): AsyncGenerator<string, void, undefined> {
  yield `${CSV_START}${toCsvLine(MESSAGE_COLUMNS)}`;
  let after: string | null = null;
  for (;;) {
    const messages: StoredMessage[] = await readAfter(workspaceId, filter, {
      after,
      size: PAGE_SIZE,
    });
    yield* writeRows(messages, (message) => toCsvLine(toCells(message)));
    after = messages.at(-1)?.id ?? null;
    if (after === null || messages.length < PAGE_SIZE) return;
  }
}

function toCells(stored: StoredMessage): string[] {
  const message = toMessage(stored);
  const { sent_by: sender } = message;
  const cells: Record<MessageColumn, string | number | null> = {
    ...message,
    from: toNumberCell(message.from),
    to: toNumberCell(message.to),
    body: toSafeCell(message.body),
    media_urls: toSafeCell(message.media.map(({ url }) => url).join(' ')),
    error_code: toSafeCell(message.error_code ?? ''),
    error_detail: toSafeCell(message.error_detail ?? ''),
    sent_by_type: sender?.type ?? null,
    sent_by_id: sender?.id ?? null,
    sent_by_name: toSafeCell(sender?.name ?? ''),
    provider_sid: toSafeCell(message.provider_sid ?? ''),
  };
  return MESSAGE_COLUMNS.map((column) => String(cells[column] ?? ''));
}

/** The plus sign of a phone number needs no escape, because only digits follow it. */
function toNumberCell(number: string | null): string {
  return number === null || isPhoneNumber(number) ? (number ?? '') : toSafeCell(number);
}
