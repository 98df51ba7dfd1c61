import type { FastifyInstance } from 'fastify';
import { request as fetchUrl } from 'undici';
import { type Picture, type PictureStore, ownPictureOf } from '../inbound/picture-store.ts';
import type { MessageStore } from '../messages/message-store.ts';

const MAX_BYTES = 5_000_000;
const TIMEOUT_MS = 10_000;
const SHOWN = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;

/** Serves the pictures of a message. Like a carrier, it fetches those of an outbound one from their URL. */
export function registerMessageMedia(
  app: FastifyInstance,
  messages: Pick<MessageStore, 'findBySid'>,
  pictures: Pick<PictureStore, 'get'>,
): void {
  app.get<{ Params: { sid: string; index: string } }>(
    '/messages/:sid/media/:index',
    async (request, reply) => {
      const { sid, index } = request.params;
      const url = messages.findBySid(sid)?.mediaUrls[Number(index)];
      if (url === undefined) {
        const detail = `No message ${sid} has media ${index}`;
        return reply.code(404).send({ error: 'not_found', detail });
      }
      const name = ownPictureOf(url);
      const media = name === null ? await fetchPicture(url) : pictures.get(name);
      if (typeof media === 'string') {
        return reply.code(502).send({ error: 'media_unavailable', detail: `${url}: ${media}` });
      }
      return reply
        .type(media.type)
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .send(media.content);
    },
  );
}

/** Returns the picture, or why there is none. */
async function fetchPicture(url: string): Promise<Picture | string> {
  try {
    const { statusCode, headers, body } = await fetchUrl(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
    const problem =
      statusCode !== 200
        ? `the response is ${statusCode}`
        : SHOWN.test(type)
          ? null
          : 'the media is not a picture that browsers show';
    if (problem !== null) {
      body.destroy();
      return problem;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) return `the media has more than ${MAX_BYTES} bytes`;
      chunks.push(chunk);
    }
    return { type, content: Buffer.concat(chunks) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
