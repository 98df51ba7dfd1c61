import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClosers } from '@switchboard/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const PAGES = ['docs/webhooks.md', 'packages/client/README.md'];

const run = promisify(execFile);
const closers = createClosers();
/** An empty project with the packed client. */
let project: string;
let installed: string;

beforeAll(async () => {
  project = await closers.open(
    () => mkdtemp(join(tmpdir(), 'switchboard-client-package-test-')),
    (made) => rm(made, { recursive: true }),
  );
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}');
  await run('npm', ['pack', '-w', '@switchboard/client', '--pack-destination', project], {
    cwd: ROOT,
  });
  const archive = (await readdir(project)).find((name) => name.endsWith('.tgz'));
  const flags = ['--offline', '--no-audit', '--no-fund', '--cache', join(project, 'cache')];
  await run('npm', ['install', ...flags, `./${archive}`], { cwd: project });
  installed = join(project, 'node_modules/@switchboard/client');
});

afterAll(() => closers.close());

/** Returns the TypeScript examples of a page that import the client. */
async function readExamples(page: string): Promise<string[]> {
  const text = await readFile(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, example = '']) => example)
    .filter((example) => example.includes("from '@switchboard/client'"));
}

/** Returns what the compiler prints: nothing if the files of the project compile. */
async function compile(files: string[], options: string[]): Promise<string> {
  const flags = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023', ...options];
  try {
    return (await run(process.execPath, [TSC, ...flags, ...files], { cwd: project })).stdout;
  } catch (error) {
    const { stdout } = error as { stdout: string };
    return stdout === '' ? String(error) : stdout;
  }
}

test('the packed client has its README, its license and types, and imports no other package', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as object;
  expect(
    Object.keys(manifest).filter((key) => /^(peer|optional)?dependencies$/i.test(key)),
  ).toEqual([]);
  const names = await readdir(installed, { recursive: true });
  expect(names).toEqual(expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts']));
  expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toBe(
    await readFile(join(ROOT, 'LICENSE'), 'utf8'),
  );
  const imports = [];
  for (const name of names.filter((one) => /\.(js|ts)$/.test(one))) {
    const code = (await readFile(join(installed, name), 'utf8')).replaceAll(/^ \*.*$/gm, '');
    for (const [, from = ''] of code.matchAll(/(?:\bfrom|\bimport\(?)\s*["']([^"'\s]+)["']/g)) {
      imports.push({ name, from });
    }
  }
  expect(imports).not.toEqual([]);
  expect(imports.filter(({ from }) => !from.startsWith('./'))).toEqual([]);
});

test('a JavaScript program calls a route and verifies a webhook with the packed client', async () => {
  const server = await closers.open(
    async () => {
      const made = createServer((request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ route: `${request.method} ${request.url}` }));
      });
      await once(made.listen(0, '127.0.0.1'), 'listening');
      return made;
    },
    async (made) => {
      made.closeAllConnections();
      await promisify(made.close.bind(made))();
    },
  );
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const body = '{"type":"endpoint.test","sequence":1}';
  const now = new Date();
  const headers = {
    'webhook-id': 'event',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('event', now, body),
  };
  const given = { port: (server.address() as AddressInfo).port, secret, headers, body };
  await writeFile(
    join(project, 'program.js'),
    `import { createClient, verifyWebhook } from '@switchboard/client';
const { port, secret, headers, body } = JSON.parse(process.argv[2]);
const client = createClient({ baseUrl: \`http://127.0.0.1:\${port}\`, token: 'key' });
const { data } = await client('GET /api/messages/{messageId}', { params: { messageId: 'a b' } });
console.log(JSON.stringify([data, await verifyWebhook({ headers, body }, { secret })]));
`,
  );
  const { stdout } = await run(process.execPath, ['program.js', JSON.stringify(given)], {
    cwd: project,
  });
  expect(JSON.parse(stdout)).toEqual([
    { route: 'GET /api/messages/a%20b' },
    { id: 'event', event: { type: 'endpoint.test', sequence: 1 } },
  ]);
});

const RESOLUTIONS = [
  ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  ['--module', 'preserve', '--moduleResolution', 'bundler'],
];

test('the examples of the documents compile in strict mode with the packed client and the types of Node', async () => {
  await cp(join(ROOT, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'), {
    recursive: true,
  });
  const files = [];
  for (const [index, page] of PAGES.entries()) {
    const examples = await readExamples(page);
    expect([page, examples.length]).toEqual([page, index + 1]);
    for (const [number, example] of examples.entries()) {
      files.push(`example-${index}-${number}.ts`);
      await writeFile(join(project, files.at(-1) ?? ''), example);
    }
  }
  for (const resolution of RESOLUTIONS) {
    const types = ['--lib', 'es2023', '--types', 'node', '--skipLibCheck'];
    expect(await compile(files, [...resolution, ...types])).toBe('');
  }
});

test('the types of the packed client are complete: right calls compile and wrong calls do not', async () => {
  await writeFile(
    join(project, 'typed.ts'),
    `import { type BodyOf, type Client, type WebhookEvent, verifyWebhook } from '@switchboard/client';
export async function right(client: Client, event: WebhookEvent): Promise<string | null> {
  const body: BodyOf<'POST /api/messages'> = { to: '+14155550123', body: 'Hello' };
  const sent = await client('POST /api/messages', { body });
  if (!sent.ok) return sent.error === 'rate_limited' ? sent.detail : null;
  const listed = await client('GET /api/messages', { query: { from: new Date(), page: 1 } });
  if (listed.ok) return listed.data.messages[0]?.error_detail ?? null;
  return event.type === 'message.received' ? event.data.body : sent.data.id;
}
export const wrong = (client: Client, request: Request, event: WebhookEvent) => [
  // @ts-expect-error: no such route
  client('GET /api/mesages'),
  // @ts-expect-error: no recipient
  client('POST /api/messages', { body: { body: 'Hello' } }),
  // @ts-expect-error: no such direction
  client('GET /api/messages', { query: { direction: 'sideways' } }),
  // @ts-expect-error: the parameter has another name
  client('GET /api/messages/{messageId}', { params: { id: '1' } }),
  // @ts-expect-error: a response without that field
  client('POST /api/messages', { body: { to: '', body: '' } }).then((sent) => sent.ok && sent.data.missing),
  // @ts-expect-error: the secret may be undefined
  verifyWebhook({ headers: request.headers, body: '' }, { secret: undefined }),
  // @ts-expect-error: not every event has a message
  event.data.body,
];
`,
  );
  for (const resolution of RESOLUTIONS) {
    // Without other types than those of a browser, and with a check of our declarations.
    const types = ['--lib', 'es2023,dom', '--noUncheckedIndexedAccess'];
    expect(await compile(['typed.ts'], [...resolution, ...types])).toBe('');
  }
});
