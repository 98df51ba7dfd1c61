import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fastifyStatic } from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** What Vite builds: apps/dashboard/dist/site, from this file's place in src as in dist. */
const SITE = fileURLToPath(new URL('../../../dashboard/dist/site/', import.meta.url));

/** The paths that do not belong to the dashboard; they answer in JSON, 404s included. */
const NOT_OURS = /^\/(api|health|metrics|ops|docs|openapi|openapi\.json|assets)(\/|$)/;

const HEADERS: Readonly<Record<string, string>> = {
  // No inline script or style, nothing from elsewhere, no string is ever made into script. The
  // session token lies in reach of scripts (docs/decisions/session-token.md): this keeps them out.
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // An invite's token stands in an address.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The built dashboard at `/`: its files, and its page for every address that is one of its views. */
export async function serveDashboard(app: FastifyInstance): Promise<void> {
  if (!existsSync(`${SITE}index.html`)) {
    app.log.warn({ site: SITE }, 'the dashboard is not built: run npm run build');
    return;
  }
  const assets = `${SITE}assets/`;
  await app.register(fastifyStatic, {
    root: assets,
    prefix: '/assets/',
    index: false,
    preCompressed: true,
    cacheControl: false,
    // For the files sent below too.
    setHeaders(response, path) {
      // The names of assets change with their content.
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
  app.get('/*', (request, reply) =>
    NOT_OURS.test(request.url.split('?')[0] ?? '/')
      ? reply.callNotFound()
      : reply.sendFile('index.html', SITE),
  );
}
