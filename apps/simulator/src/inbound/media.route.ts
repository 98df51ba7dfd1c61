import type { FastifyInstance } from 'fastify';

// One transparent pixel.
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** A real picture under any name, for inbound messages to point at. */
export function registerMedia(app: FastifyInstance): void {
  app.get('/media/:name', async (_request, reply) => reply.type('image/png').send(PICTURE));
}
