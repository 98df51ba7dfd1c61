import type { LookUpOutcome, ProviderAccount, ProviderMessage } from '@switchboard/core';
import type {
  MessageListInstance,
  MessagePage,
} from 'twilio/lib/rest/api/v2010/account/message.js';

import { callAccount } from './call-account.ts';
import { readClockOffset } from './clock-offset.ts';
import type { AccountOpener } from './open-account.ts';
import { readDate, toProviderMessage } from './provider-message.ts';

const PAGE_SIZE = 200;
const MAX_PAGES = 25;

/**
 * Finds outbound messages to a number that were created since a time, newest first.
 *
 * Twilio's only filter by time is `DateSent`, and a message that waits in a queue has none yet: the
 * filter could hide the message that we search for, and we would send a second one. So we filter
 * the list by number only. Twilio sorts it by that date, newest first, and we read until a page
 * contains no message that was created or sent late enough.
 *
 * Twilio's clock may differ from ours: the `Date` header of the first response shows by how much.
 */
export async function findSent(
  openAccount: AccountOpener,
  account: ProviderAccount,
  query: { to: string; from: string | null; since: Date },
): Promise<LookUpOutcome> {
  const response = await callAccount(openAccount, account, (client, opened) =>
    readPages(client.messages, query, () => readClockOffset(opened)),
  );
  if (response.kind !== 'answered') return { kind: 'unavailable', detail: response.detail };
  if (response.value === null) {
    const detail = `More than ${PAGE_SIZE * MAX_PAGES} messages were sent to this number since then.`;
    return { kind: 'unavailable', detail };
  }
  const messages = response.value.sort((a, b) => timeOf(b) - timeOf(a));
  return { kind: 'found', messages };
}

/** Returns null if the list is longer than the limit: then the absence of a message proves nothing. */
async function readPages(
  list: MessageListInstance,
  query: { to: string; from: string | null; since: Date },
  readOffsetMs: () => number,
): Promise<ProviderMessage[] | null> {
  const found = new Map<string, ProviderMessage>();
  let page: Pick<MessagePage, 'instances' | 'nextPageUrl' | 'nextPage'> = await list.page({
    to: query.to,
    ...(query.from === null ? {} : { from: query.from }),
    pageSize: PAGE_SIZE,
  });
  const offsetMs = readOffsetMs();
  // Twilio's times are whole seconds.
  const since = Math.floor((query.since.getTime() + offsetMs) / 1_000) * 1_000;
  for (let pages = 1; ; pages += 1) {
    let mayHoldMore = page.instances.length === 0;
    for (const instance of page.instances) {
      const message = toProviderMessage(instance);
      if (message === null) throw new Error('a message without an identifier');
      const sentAt = readDate(instance.dateSent)?.getTime() ?? Infinity;
      if (Math.max(timeOf(message), sentAt) >= since) mayHoldMore = true;
      // Pages that shift between reads repeat messages: keep one of each.
      if (message.direction === 'outbound' && timeOf(message) >= since) {
        const { createdAt } = message;
        found.set(message.sid, {
          ...message,
          createdAt: createdAt && new Date(createdAt.getTime() - offsetMs),
        });
      }
    }
    if (!mayHoldMore || page.nextPageUrl === undefined) return [...found.values()];
    if (pages === MAX_PAGES) return null;
    const next = await page.nextPage();
    if (next === undefined) return [...found.values()];
    page = next;
  }
}

/**
 * A message without a creation time counts as the newest: omitting it would assert that it does not
 * exist.
 */
function timeOf(message: ProviderMessage): number {
  return message.createdAt?.getTime() ?? Infinity;
}
