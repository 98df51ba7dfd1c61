import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import { onTestFinished } from 'vitest';

const SOURCE = path.join(import.meta.dirname, 'pigeon-adapter.ts');

/**
 * Adds one adapter to processes: its folder and one line in the list of `adapters.ts`. Everything
 * else is the compiled service.
 *
 * @returns the `NODE_OPTIONS` of such a process
 */
export async function registerAdapter(apiUrl: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-adapter-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const urlOf = (name: string) => pathToFileURL(path.join(folder, name)).href;
  const { code } = await transformWithOxc(await readFile(SOURCE, 'utf8'), SOURCE);
  const files = {
    'pigeon-adapter.mjs': code,
    'hooks.mjs': `
      export async function load(url, context, nextLoad) {
        if (!url.endsWith('/packages/providers/dist/adapters.js')) return nextLoad(url, context);
        const source = \`
          import { ADAPTERS as REAL } from '\${url}?real';
          import { createPigeonAdapter } from '${urlOf('pigeon-adapter.mjs')}';
          const apiUrl = '${apiUrl}';
          export const ADAPTERS = {
            ...REAL,
            pigeon: (options) => createPigeonAdapter({ ...options, apiUrl }),
          };\`;
        return { format: 'module', shortCircuit: true, source };
      }`,
    'register.mjs': `
      import { register } from 'node:module';
      register('${urlOf('hooks.mjs')}');`,
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(folder, name), text);
  }
  return `--import=${urlOf('register.mjs')}`;
}
