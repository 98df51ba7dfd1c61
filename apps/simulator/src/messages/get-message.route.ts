import type { FastifyInstance } from 'fastify';
import type { CarrierClock } from '../carrier-clock.ts';
import type { Form } from '../form.ts';
import { formatPage } from '../page.ts';
import { PICTURE } from '../inbound/media.route.ts';
import { refuse } from '../twilio-error.ts';
import { contentTypeOf } from './content-type-of.ts';
import { formatMessage } from './format-message.ts';
import { mediaSidOf } from './media-sid.ts';
import type { MessageStore } from './message-store.ts';

interface Params {
  accountSid: string;
  sid: string;
}

/** Serves a message, the list of its media and each media item, which is always the same picture. */
export function registerGetMessage(
  app: FastifyInstance,
  messages: MessageStore,
  clock: CarrierClock,
): void {
  app.get<{ Params: Params }>(
    '/Accounts/:accountSid/Messages/:sid.json',
    async (request, reply) => {
      const message = messages.find(request.params.accountSid, request.params.sid);
      return message === null ? refuse(reply, 20404, request.url) : formatMessage(message, clock);
    },
  );

  app.get<{ Params: Params; Querystring: Form }>(
    '/Accounts/:accountSid/Messages/:sid/Media.json',
    async (request, reply) => {
      const { accountSid, sid } = request.params;
      const message = messages.find(accountSid, sid);
      if (message === null) return refuse(reply, 20404, request.url);
      const path = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}/Media`;
      const media = message.mediaUrls.map((url, index) => {
        const mediaSid = mediaSidOf(sid, index);
        return {
          account_sid: accountSid,
          content_type: contentTypeOf(url),
          date_created: clock.format(message.createdAt),
          date_updated: clock.format(message.createdAt),
          parent_sid: sid,
          sid: mediaSid,
          uri: `${path}/${mediaSid}.json`,
        };
      });
      return {
        ...formatPage(`${path}.json`, request.query, media.length, null),
        media_list: media,
      };
    },
  );

  app.get<{ Params: Params & { mediaSid: string } }>(
    '/Accounts/:accountSid/Messages/:sid/Media/:mediaSid',
    async (request, reply) => {
      const { accountSid, sid, mediaSid } = request.params;
      const message = messages.find(accountSid, sid);
      const exists = message?.mediaUrls.some((_url, index) => mediaSidOf(sid, index) === mediaSid);
      return exists ? reply.type('image/png').send(PICTURE) : refuse(reply, 20404, request.url);
    },
  );
}
