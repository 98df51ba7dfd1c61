import type { FastifyInstance } from 'fastify';
import { MAX_PICTURE_BYTES, PICTURE_TYPES, type PictureStore } from './picture-store.ts';

/**
 * Serves a valid picture under any name, as media of inbound messages. `POST` stores a picture and
 * returns its URL.
 */
export function registerMedia(app: FastifyInstance, pictures: PictureStore): void {
  app.addContentTypeParser(PICTURE_TYPES, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  app.get<{ Params: { name: string } }>('/media/:name', async (request, reply) => {
    const { type, content } = pictures.get(request.params.name);
    return reply.type(type).header('x-content-type-options', 'nosniff').send(content);
  });

  app.post(
    '/media',
    {
      bodyLimit: MAX_PICTURE_BYTES,
      errorHandler: (error, _request, reply) => {
        const detail =
          error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
            ? `The picture must have at most ${MAX_PICTURE_BYTES} bytes`
            : error.message;
        void reply.code(400).send({ error: 'invalid_params', detail });
      },
    },
    async (request, reply) => {
      const type = PICTURE_TYPES.find((each) => each === request.headers['content-type']);
      if (type === undefined || !Buffer.isBuffer(request.body) || request.body.length === 0) {
        const detail = `The body must be a picture, and \`Content-Type\` ${PICTURE_TYPES.join(', ')}`;
        return reply.code(400).send({ error: 'invalid_params', detail });
      }
      const name = pictures.add(type, request.body);
      const url = `${request.protocol}://${request.host}/simulator/media/${name}`;
      return reply.code(201).send({ url });
    },
  );
}
