import type { FastifyInstance } from 'fastify';
import type { CarrierClock } from '../carrier-clock.ts';
import type { Form } from '../form.ts';
import { formatPage } from '../page.ts';
import { ownPictureOf, type PictureStore } from '../inbound/picture-store.ts';
import { refuse } from '../twilio-error.ts';
import { contentTypeOf } from './content-type-of.ts';
import { formatMessage } from './format-message.ts';
import { mediaSidOf } from './media-sid.ts';
import type { MessageStore } from './message-store.ts';

interface Params {
  accountSid: string;
  sid: string;
}

/** Serves a message, the list of its media and each media item, which is a picture that a phone sent, or a small one. */
export function registerGetMessage(
  app: FastifyInstance,
  messages: MessageStore,
  clock: CarrierClock,
  pictures: Pick<PictureStore, 'get'>,
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
      const media = message.mediaUrls.flatMap((url, index) => {
        if (url === '') return [];
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
      const url = message?.mediaUrls.find(
        (one, index) => one !== '' && mediaSidOf(sid, index) === mediaSid,
      );
      if (url === undefined) return refuse(reply, 20404, request.url);
      const { type, content } = pictures.get(ownPictureOf(url) ?? '');
      return reply.type(type).send(content);
    },
  );
}
