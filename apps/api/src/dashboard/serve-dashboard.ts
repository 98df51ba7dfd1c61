import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fastifyStatic } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../http/html.ts';

/** The output of Vite, apps/dashboard/dist/site; the same relative path from src and from dist. */
const SITE = fileURLToPath(new URL('../../../dashboard/dist/site/', import.meta.url));

/**
 * Paths that do not belong to the dashboard. Their errors are JSON, including 404s. A program that adds a
 * path to a base URL with a final slash must not receive a page with status 200.
 */
const OTHER_PATHS = /^\/*(api|health|metrics|ops|docs|openapi|openapi\.json|assets)(\/|$)/i;

const HEADERS: Readonly<Record<string, string>> = {
  // No inline script or style, nothing from other origins, no eval. Scripts can read the session
  // token (docs/decisions/session-token.md), so this policy keeps foreign scripts out.
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    'media-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The only policy gives out the address of the worker that reads imported files.
    'trusted-types import-worker',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // The URL of an invite contains its token.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Serves the compiled dashboard at `/`: its files, and its page for the path of every view. */
export async function serveDashboard(app: FastifyInstance, basePath: string): Promise<void> {
  if (!existsSync(`${SITE}index.html`)) {
    app.log.warn({ site: SITE }, 'the dashboard is not built: run npm run build');
    return;
  }
  const sendPage = createSendPage(basePath);
  const assets = `${SITE}assets/`;
  await app.register(fastifyStatic, {
    root: assets,
    prefix: '/assets/',
    index: false,
    preCompressed: true,
    cacheControl: false,
    // These headers also apply to the files sent below.
    setHeaders(response, path) {
      // The name of an asset changes with its content.
      const isAsset = path.startsWith(assets);
      response.setHeader(
        'cache-control',
        isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    },
  });

  for (const file of ['icon.svg', 'theme.js']) {
    app.get(`/${file}`, (_request, reply) => reply.sendFile(file, SITE));
  }
  // The router has decoded this part of the path, as it has for the routes of the API.
  app.get<{ Params: { '*': string } }>('/*', (request, reply) =>
    OTHER_PATHS.test(request.params['*']) ? reply.callNotFound() : sendPage(request, reply),
  );
}

/** Creates a function that sends the page, with the URLs of the files that it loads below the base path. */
function createSendPage(basePath: string) {
  const base = html`${basePath}`.html;
  const page = readFileSync(`${SITE}index.html`, 'utf8')
    .replaceAll(/ (href|src)="\.\//g, (_, name: string) => ` ${name}="${base}/`)
    .replace('name="base-path" content=""', () => `name="base-path" content="${base}"`);
  const etag = `"${createHash('sha256').update(page).digest('base64url')}"`;

  return function sendPage({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.headers({ ...HEADERS, 'cache-control': 'no-cache', etag });
    // A proxy that compresses the page makes the tag a weak one.
    return headers['if-none-match']?.replace(/^W\//, '') === etag
      ? reply.code(304).send()
      : reply.type('text/html; charset=utf-8').send(page);
  };
}
