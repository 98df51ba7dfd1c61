import type { FastifyInstance } from 'fastify';
import type { CarrierClock } from '../carrier-clock.ts';
import { textOf, type Form } from '../form.ts';
import type { Journal } from '../ledger/journal.ts';
import { refuse } from '../twilio-error.ts';
import { formatMessage } from './format-message.ts';
import type { Lifecycle } from './lifecycle.ts';
import { mediaSidOf } from './media-sid.ts';
import type { MessageStore } from './message-store.ts';
import type { Message } from './message.ts';

const UNFINISHED = ['accepted', 'scheduled', 'queued', 'sending'];

/** Cancels (`Status=canceled`) or redacts (`Body=`) a message. */
export function registerUpdateMessage(
  app: FastifyInstance,
  messages: MessageStore,
  lifecycle: Pick<Lifecycle, 'cancel'>,
  journal: Journal,
  clock: CarrierClock,
): void {
  app.post<{ Params: { accountSid: string; sid: string }; Body: Form | undefined }>(
    '/Accounts/:accountSid/Messages/:sid.json',
    async (request, reply) => {
      const message = messages.find(request.params.accountSid, request.params.sid);
      if (message === null) return refuse(reply, 20404, request.url);
      const form = request.body ?? {};

      if (form['Status'] !== undefined) {
        if (textOf(form, 'Status') !== 'canceled') return refuse(reply, 20001, 'Status');
        if (!lifecycle.cancel(message)) return refuse(reply, 30409);
      }
      if (form['Body'] !== undefined) {
        if (textOf(form, 'Body') !== '') return refuse(reply, 20001, 'Body must be empty');
        if (UNFINISHED.includes(message.status)) return refuse(reply, 20009);
        const at = Date.now();
        applyRedaction(message, at);
        await journal.append({ type: 'redacted', sid: message.sid, at });
      }
      return formatMessage(message, clock);
    },
  );
}

/** Deletes a media item of a message. */
export function registerDeleteMedia(
  app: FastifyInstance,
  messages: MessageStore,
  journal: Journal,
): void {
  app.delete<{ Params: { accountSid: string; sid: string; media: string } }>(
    '/Accounts/:accountSid/Messages/:sid/Media/:media',
    async (request, reply) => {
      const { accountSid, sid, media } = request.params;
      const message = messages.find(accountSid, sid);
      const index = message?.mediaUrls.findIndex(
        (url, at) => url !== '' && `${mediaSidOf(sid, at)}.json` === media,
      );
      if (message === null || index === undefined || index < 0) {
        return refuse(reply, 20404, request.url);
      }
      message.mediaUrls[index] = '';
      await journal.append({ type: 'media_deleted', sid, index });
      return reply.code(204).send();
    },
  );
}

/** Removes the text from the message. The ledger keeps the text as evidence of what was accepted. */
export function applyRedaction(message: Message, at: number): void {
  message.body = '';
  message.prefix = '';
  message.updatedAt = at;
}
