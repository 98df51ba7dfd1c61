import { createHash } from 'node:crypto';
import { createOpenApiDocument } from '@switchboard/contracts';
import type { FastifyInstance } from 'fastify';
import { ERROR_STATUS } from '../http/error-status.ts';
import { renderReference } from './render-reference.ts';
import { STYLE } from './style.ts';

const VERSION = '0.1.0';

/** The page holds its one style sheet itself, and needs nothing else from anywhere. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What the service says of itself, to programs and to people. Made once, with the first question. */
export function registerReferenceRoutes(app: FastifyInstance): void {
  let made: { json: string; page: string } | undefined;
  function make() {
    const document = createOpenApiDocument({ version: VERSION, errorStatus: ERROR_STATUS });
    return { json: JSON.stringify(document), page: renderReference(document) };
  }

  app.get('/openapi.json', async (_request, reply) => {
    made ??= make();
    return reply
      .type('application/json; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .send(made.json);
  });

  app.get('/docs', async (_request, reply) => {
    made ??= make();
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .send(made.page);
  });
}
