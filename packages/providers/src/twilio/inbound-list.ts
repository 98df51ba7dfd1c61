import {
  AppError,
  type InboundList,
  type InboundMessage,
  type ListedInbound,
  type ProviderAccount,
} from '@switchboard/core';
import type { MessageInstance } from 'twilio/lib/rest/api/v2010/account/message.js';

import { MAX_RECEIVED_MEDIA, readMediaList } from '../http/read-media.ts';
import { readText } from '../http/read-text.ts';
import { callAccount } from './call-account.ts';
import { readClockOffset } from './clock-offset.ts';
import { api } from './api.ts';
import { sendsTo } from './number-webhook.ts';
import type { AccountOpener } from './open-account.ts';
import { parseInbound } from './parse-webhook.ts';
import { readDate } from './provider-message.ts';

const PAGE_SIZE = 200;
/** Twilio's limit. */
const MAX_NUMBERS_PER_PAGE = 1_000;
/**
 * Twilio documents the filter in whole days, so it may include earlier messages. The hour covers
 * wrong clocks.
 */
const FILTER_SLACK_MS = 3_600_000;
const MEDIA_SID = /^ME[0-9a-f]{32}$/;

/**
 * Reads Twilio's message list by recipient, because the list has no filter by direction. Twilio
 * sorts it by `DateSent`, newest first, which for a received message is the time of its webhook. So
 * a page without a recent enough message is the last one.
 */
export function createInboundList(openAccount: AccountOpener): InboundList {
  return {
    async findConfigured(account, numbers) {
      const response = await callAccount(openAccount, account, ({ incomingPhoneNumbers }) =>
        incomingPhoneNumbers.list({ pageSize: MAX_NUMBERS_PER_PAGE }),
      );
      if (response.kind !== 'answered') return { kind: 'unavailable', detail: response.detail };
      const owned = new Map(response.value.map((one) => [one.phoneNumber, one]));
      const urls = new Map<string, string>();
      for (const { number, urls: wanted } of numbers) {
        const found = owned.get(number);
        const url = wanted.find((each) => found !== undefined && sendsTo(found, each));
        if (url !== undefined) urls.set(number, url);
      }
      return { kind: 'read', urls };
    },

    async readPage(account, { to, since, page }) {
      const response = await callAccount(openAccount, account, async ({ messages }, opened) => {
        const found =
          page === null
            ? await messages.page({
                to,
                dateSentAfter: new Date(since.getTime() - FILTER_SLACK_MS),
                pageSize: PAGE_SIZE,
              })
            : await messages.getPage(page);
        const { instances, nextPageUrl: next } = found;
        return { instances, next, offsetMs: readClockOffset(opened) };
      });
      if (response.kind !== 'answered') return { kind: 'unavailable', detail: response.detail };
      const { instances, next, offsetMs } = response.value;

      // Twilio's times are whole seconds.
      const from = Math.floor((since.getTime() + offsetMs) / 1_000) * 1_000;
      const recent = instances.filter((instance) => latestTimeOf(instance) >= from);
      const received = recent.filter(({ direction }) => direction === 'inbound');
      const messages: ListedInbound[] = [];
      const unreadable: string[] = [];
      for (const instance of received) {
        const message = readListed(instance, account, offsetMs);
        if (message === null) unreadable.push(readText(instance.sid) ?? '');
        else messages.push(message);
      }
      const isLast = recent.length === 0 && instances.length > 0;
      return {
        kind: 'read',
        messages,
        unreadable,
        next: isLast ? null : (next ?? null),
      };
    },

    async readMedia(account, sid) {
      const response = await callAccount(openAccount, account, ({ messages }) =>
        messages(sid).media.page({ pageSize: MAX_RECEIVED_MEDIA }),
      );
      if (response.kind === 'answered') {
        const list = `${api.origin}/2010-04-01/Accounts/${account.vendorAccountId}/Messages/${sid}/Media`;
        const media = readMediaList(
          response.value.instances.map(({ sid: mediaSid, contentType }) => ({
            url: MEDIA_SID.test(mediaSid) ? `${list}/${mediaSid}` : null,
            contentType,
          })),
        );
        return { kind: 'read', media };
      }
      // The message was deleted after the list was read.
      if (response.kind === 'refused' && response.status === 404)
        return { kind: 'read', media: [] };
      return { kind: 'unavailable', detail: response.detail };
    },
  };
}

/**
 * A message without a time counts as the newest: omitting it would assert that it does not exist.
 */
function latestTimeOf({ dateSent, dateCreated }: MessageInstance): number {
  const times = [readDate(dateSent), readDate(dateCreated)].flatMap(
    (date) => date?.getTime() ?? [],
  );
  return times.length === 0 ? Infinity : Math.max(...times);
}

/** Parses an entry with the rules for webhook fields; null if it violates one. */
function readListed(
  instance: MessageInstance,
  account: ProviderAccount,
  offsetMs: number,
): ListedInbound | null {
  const receivedAt = readDate(instance.dateCreated) ?? readDate(instance.dateSent);
  const { sid, to, from, body, numSegments } = instance;
  const message = parse({
    MessageSid: sid,
    AccountSid: account.vendorAccountId,
    To: to,
    From: from,
    Body: body,
    NumSegments: numSegments,
  });
  if (receivedAt === null || message === null) return null;
  const mediaCount = Number.parseInt(instance.numMedia, 10);
  return {
    ...message,
    mediaCount: Number.isNaN(mediaCount) ? 0 : mediaCount,
    receivedAt: new Date(receivedAt.getTime() - offsetMs),
  };
}

function parse(fields: Record<string, string | null | undefined>): InboundMessage | null {
  try {
    return parseInbound(
      Object.entries(fields).map(([name, value]) => [
        name,
        (value ?? '').toWellFormed().replaceAll('\0', '\uFFFD'),
      ]),
    );
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
