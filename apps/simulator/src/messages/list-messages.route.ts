import type { FastifyInstance } from 'fastify';
import type { CarrierClock } from '../carrier-clock.ts';
import { textOf, type Form } from '../form.ts';
import { formatPage, parsePage } from '../page.ts';
import { readPhoneNumber } from '../phone-number.ts';
import { refuse } from '../twilio-error.ts';
import { formatMessage } from './format-message.ts';
import type { MessageFilter, MessageStore } from './message-store.ts';
import type { Message } from './message.ts';

const DAY_MS = 86_400_000;

export function registerListMessages(
  app: FastifyInstance,
  messages: MessageStore,
  clock: CarrierClock,
): void {
  app.get<{ Params: { accountSid: string }; Querystring: Form }>(
    '/Accounts/:accountSid/Messages.json',
    async (request, reply) => {
      const { accountSid } = request.params;
      const filter = parseFilter(request.query, clock.offsetMs());
      if (filter === null) return refuse(reply, 20001, 'DateSent');
      const { page, size, after } = parsePage(request.query);

      // Reads one entry more than the page holds, to detect whether another page follows.
      const entries: Message[] = [];
      let toSkip = after === null ? page * size : 0;
      for (const message of messages.list(accountSid, filter, after)) {
        if (toSkip > 0) toSkip -= 1;
        else if (entries.push(message) > size) break;
      }
      const shown = entries.slice(0, size);
      const nextSid = entries.length > size ? (shown.at(-1)?.sid ?? null) : null;
      const path = `/2010-04-01/Accounts/${accountSid}/Messages.json`;
      return {
        ...formatPage(path, request.query, shown.length, nextSid),
        messages: shown.map((message) => formatMessage(message, clock)),
      };
    },
  );
}

/**
 * Parses the filters. `DateSent` is a day. `DateSent>=` and `DateSent<=` include their second; the
 * query parser turns them into `DateSent>` and `DateSent<`. Dates are those of a clock that is
 * `offsetMs` ahead of the machine's. Returns null if a date is invalid.
 */
function parseFilter(query: Form, offsetMs: number): MessageFilter | null {
  const day = parseDate(textOf(query, 'DateSent'));
  const from = parseDate(textOf(query, 'DateSent>'));
  const until = parseDate(textOf(query, 'DateSent<'));
  if (Number.isNaN(day) || Number.isNaN(from) || Number.isNaN(until)) return null;
  const dayStart = day === null ? -Infinity : Math.floor(day / DAY_MS) * DAY_MS;
  return {
    to: readPhoneNumber(textOf(query, 'To')),
    from: readPhoneNumber(textOf(query, 'From')),
    sentFrom: Math.max(dayStart, from ?? -Infinity) - offsetMs,
    sentBefore:
      Math.min(day === null ? Infinity : dayStart + DAY_MS, (until ?? Infinity) + 1) - offsetMs,
  };
}

function parseDate(text: string): number | null {
  return text === '' ? null : Date.parse(text);
}
