import type { FastifyInstance } from 'fastify';

// A PNG with one transparent pixel.
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Serves a valid picture under any name, as media of inbound messages. */
export function registerMedia(app: FastifyInstance): void {
  app.get('/media/:name', async (_request, reply) => reply.type('image/png').send(PICTURE));
}
