import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT, defaultOf, readRootFile, settingsOf } from './settings-in-code.ts';

interface Service {
  command: string[];
  environment?: Record<string, string>;
  ports?: string[];
  container_name?: string;
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  restart?: string;
}

/** Settings that the image sets and operators do not need, because a container has its own ports and files. */
const IMAGE_SETTINGS = ['HOST', 'PORT', 'OPS_PORT', 'METRICS_PORT'];
const OURS = { api: 'api', worker: 'worker', migrate: 'cli' } as const;

let services: Record<string, Service>;

beforeAll(() => {
  const text = readRootFile('docker-compose.yml');
  ({ services } = parse(text, { merge: true }) as { services: Record<string, Service> });
});

function environmentOf(name: string): Record<string, string> {
  return services[name]?.environment ?? {};
}

test('the compose file passes every setting that the API and the worker read', () => {
  for (const name of ['api', 'worker']) {
    const wanted = settingsOf(name).filter((setting) => !IMAGE_SETTINGS.includes(setting));
    expect(wanted.length).toBeGreaterThan(10);
    expect(Object.keys(environmentOf(name))).toEqual(expect.arrayContaining(wanted));
  }
});

test('every setting in the compose file is read by a process of the image', () => {
  const read = new Set(['api', 'worker', 'cli'].flatMap(settingsOf));
  for (const name of Object.keys(OURS)) {
    for (const setting of Object.keys(environmentOf(name))) {
      expect(read).toContain(setting.replace(/_FILE$/, ''));
    }
  }
});

test('under compose, a setting that is missing from .env has the default from the code', () => {
  const withDefault = Object.entries(environmentOf('api')).filter(
    ([name]) => 'value' in defaultOf(name.replace(/_FILE$/, '')),
  );
  expect(withDefault).toEqual(withDefault.map(([name]) => [name, `\${${name}:-}`]));
});

test('the image exposes the ports that the compose file and its health check use', () => {
  const dockerfile = readRootFile('Dockerfile');
  const [mapping = ''] = services['api']?.ports ?? [];
  const port = /PORT=(\d+)/.exec(dockerfile)?.[1];
  expect(mapping.endsWith(`:${port}`)).toBe(true);
  expect(dockerfile).toMatch(/HOST=:: /);
  expect(dockerfile).toMatch(
    new RegExp(`EXPOSE ${port} ${/METRICS_PORT=(\d+)/.exec(dockerfile)?.[1]}`),
  );
});

test('the compose file allows any number of workers: it gives them no fixed name or port', () => {
  expect(services['worker']).toBeDefined();
  expect(services['worker']).not.toHaveProperty('container_name');
  expect(services['worker']).not.toHaveProperty('ports');
});

test('the API and the worker start after migrate has succeeded and the stores are healthy', () => {
  for (const name of ['api', 'worker']) {
    expect(services[name]?.depends_on).toEqual({
      migrate: { condition: 'service_completed_successfully' },
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
    });
    expect(services[name]?.restart).toBe('unless-stopped');
  }
  expect(services['migrate']?.restart).toBe('no');
  for (const name of ['api', 'worker', 'postgres', 'redis']) {
    expect(services[name]?.healthcheck?.test?.length).toBeGreaterThan(1);
  }
});

test('Redis under compose never evicts keys and writes an append-only file', () => {
  const command = services['redis']?.command.join(' ');
  expect(command).toContain('--maxmemory-policy noeviction');
  expect(command).toContain('--appendonly yes');
});

test('each command of the image runs a built program, and the usage message lists each command', () => {
  const script = readRootFile('ops/docker/entrypoint.sh');
  const patterns = [...script.matchAll(/^ {2}([a-z][a-z -|]*)\)$/gm)].map(([, names = '']) =>
    names.split(' | '),
  );
  const [apps = [], commands = []] = patterns;
  expect(apps).toEqual(['api', 'worker']);
  expect(commands).toEqual(expect.arrayContaining(['migrate', 'rotate-secrets']));
  for (const name of apps) expect(exists(`apps/${name}/src/main.ts`)).toBe(true);
  for (const name of commands) expect(exists(`apps/cli/src/${name}.ts`)).toBe(true);
  const listed = /Unknown command '\$command': (.*)\./.exec(script)?.[1]?.split(/, | or /);
  expect(listed).toEqual([...apps, ...commands]);
  for (const { command } of Object.keys(OURS).flatMap((name) => services[name] ?? [])) {
    expect([...apps, ...commands]).toContain(command[0]);
  }
});

function exists(name: string): boolean {
  return existsSync(path.join(ROOT, name));
}
