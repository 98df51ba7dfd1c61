import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** The built page; this path is the same from `src` and from `dist`. */
const SITE = join(import.meta.dirname, '../../dist/site');

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Serves the page with the phones at `/`. */
export function registerPhonePage(app: FastifyInstance): void {
  const serve = async (name: string) => {
    try {
      return await readFile(join(SITE, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return null;
    }
  };

  app.get('/', async (_request, reply) => {
    const page = await serve('index.html');
    return page === null
      ? reply
          .code(404)
          .send({ error: 'not_found', detail: 'The page is not built: run `npm run build`' })
      : reply
          .headers(HEADERS)
          .type(TYPES['html'] ?? '')
          .send(page);
  });

  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    // The build names its files so. No such name leads to another folder.
    const extension = /^[\w-]+\.(js|css)$/.exec(request.params.name)?.[1] ?? '';
    const type = TYPES[extension];
    const file = type === undefined ? null : await serve(`assets/${request.params.name}`);
    return type === undefined || file === null
      ? reply.callNotFound()
      : reply.headers(HEADERS).type(type).send(file);
  });
}
