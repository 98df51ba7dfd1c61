import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createOpenApiDocument, routes } from '@switchboard/contracts';
import type { FastifyReply } from 'fastify';
import { acceptsGzip } from '../http/compress-responses.ts';
import { ERROR_STATUS } from '../http/error-status.ts';
import type { RegisterRoute } from '../http/register-route.ts';
import { REFERENCE_HEADERS, formatReferencePage, formatReferenceStart } from './reference-page.ts';

const require = createRequire(import.meta.url);
const { version } = require('../../package.json') as { version: string };
const DAY_SECONDS = 86_400;

/** Registers the OpenAPI documents and the page that renders them with Scalar. */
export function registerReferenceRoutes(registerRoute: RegisterRoute, basePath: string): void {
  const programs = once(() => describe('programs', basePath));
  const dashboard = once(() => describe('dashboard', basePath));
  const script = once(readScript);
  const page = formatReferencePage(basePath);
  const start = formatReferenceStart(basePath);

  registerRoute(routes.getOpenApi, async ({ reply }) => sendDocument(reply, await programs()));
  registerRoute(routes.getDashboardOpenApi, async ({ reply }) =>
    sendDocument(reply, await dashboard()),
  );

  registerRoute(routes.getReference, ({ reply }) => {
    reply.type('text/html; charset=utf-8').headers(REFERENCE_HEADERS);
    return page;
  });

  registerRoute(routes.getReferenceStart, ({ reply }) => {
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache');
    return start;
  });

  registerRoute(routes.getReferenceScript, async ({ request, reply }) => {
    const { plain, compressed } = await script();
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', `public, max-age=${DAY_SECONDS}`)
      .header('vary', 'accept-encoding');
    if (!acceptsGzip(request.headers['accept-encoding'])) return plain;
    reply.header('content-encoding', 'gzip');
    return compressed;
  });
}

async function describe(audience: 'programs' | 'dashboard', basePath: string): Promise<string> {
  const options = { audience, version, basePath, errorStatus: ERROR_STATUS };
  return JSON.stringify(await createOpenApiDocument(options));
}

function sendDocument(reply: FastifyReply, document: string): string {
  reply.type('application/json; charset=utf-8').headers({
    'access-control-allow-origin': '*',
    'cache-control': 'no-cache',
  });
  return document;
}

/** Reads the script of the package, which contains everything that the page needs. */
async function readScript(): Promise<{ plain: Buffer; compressed: Buffer }> {
  const entry = require.resolve('@scalar/fastify-api-reference');
  const plain = await readFile(new URL('js/standalone.js', `file://${entry}`));
  return { plain, compressed: await promisify(gzip)(plain) };
}

/** Computes a value at the first request that needs it. */
function once<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined;
  return () => (computed ??= { value: compute() }).value;
}
