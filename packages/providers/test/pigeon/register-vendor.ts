import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import { onTestFinished } from 'vitest';

const MODULES = ['vendor', 'pigeon-adapter'];

/**
 * Adds one vendor to processes: its folder, and its line in `vendors.ts`. Everything else is the compiled
 * service.
 *
 * @returns the `NODE_OPTIONS` of such a process
 */
export async function registerVendor(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-vendor-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const urlOf = (name: string) => pathToFileURL(path.join(folder, name)).href;
  for (const name of MODULES) {
    const source = path.join(import.meta.dirname, `${name}.ts`);
    const { code } = await transformWithOxc(await readFile(source, 'utf8'), source);
    await writeFile(path.join(folder, `${name}.mjs`), code);
  }
  await writeFile(
    path.join(folder, 'hooks.mjs'),
    `
    const LIST = '/packages/providers/dist/vendors.js';
    let list;

    export async function load(url, context, nextLoad) {
      const loaded = await nextLoad(url, context);
      if (!url.endsWith(LIST)) return loaded;
      list = url;
      const source = String(loaded.source).replace(
        /^export const VENDORS = {/m,
        "import * as pigeon from '${urlOf('vendor.mjs')}';\\n$& pigeon,",
      );
      return { ...loaded, source };
    }

    // In the folder of a vendor, modules have other names, and libraries are those of the package.
    export async function resolve(specifier, context, nextResolve) {
      if (!context.parentURL?.startsWith('${urlOf('')}')) return nextResolve(specifier, context);
      return specifier.startsWith('.')
        ? nextResolve(specifier.replace(/\\.ts$/, '.mjs'), context)
        : nextResolve(specifier, { ...context, parentURL: list });
    }`,
  );
  await writeFile(
    path.join(folder, 'register.mjs'),
    `
    import { register } from 'node:module';
    register('${urlOf('hooks.mjs')}');`,
  );
  return `--import=${urlOf('register.mjs')}`;
}
