import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { icons as lucide } from '@iconify-json/lucide';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type Plugin, defineConfig } from 'vite';

const SITE = path.join(import.meta.dirname, 'dist/site');

/**
 * The highest level: it makes the first load 7% smaller than level 9, and each build a few seconds
 * longer.
 */
const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };

/** Compresses the files at build time instead of for every request. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    async writeBundle() {
      const entries = await readdir(SITE, { recursive: true });
      const files = entries.filter((name) => /\.(html|js|css|svg)$/.test(name));
      await Promise.all(
        files.map(async (name) => {
          const file = path.join(SITE, name);
          const content = await readFile(file);
          await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
          await writeFile(`${file}.gz`, await promisify(gzip)(content));
        }),
      );
    },
  };
}

/** Serves `icon:<name>` as the component of one icon, so that a page loads only the icons that it shows. */
function icons(): Plugin {
  const factory = path.join(import.meta.dirname, 'src/ui/create-icon.tsx');
  return {
    name: 'icons',
    resolveId: (id) => (id.startsWith('icon:') ? `\0${id}.jsx` : null),
    load(id) {
      const name = /^\0icon:(.+)\.jsx$/.exec(id)?.[1];
      if (name === undefined) return null;
      const icon = lucide.icons[lucide.aliases?.[name]?.parent ?? name];
      if (icon === undefined) this.error(`Lucide has no icon "${name}".`);
      // React's elements, because the content security policy forbids HTML in a string.
      const jsx = icon.body.replaceAll(/-([a-z])(?=[a-z]*=")/g, (_, letter: string) =>
        letter.toUpperCase(),
      );
      const code = `import { createIcon } from ${JSON.stringify(factory)};
        export default /* @__PURE__ */ createIcon(<>${jsx}</>);`;
      return { code, moduleSideEffects: false };
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // The API replaces `./` in the page: it may be reached below a path.
  base: './',
  plugins: [react(), tailwindcss(), icons(), compress()],
  // Reads the TypeScript source of `contracts`, so that this build needs no other build first.
  resolve: { conditions: ['@switchboard/source', 'module', 'browser'] },
  worker: { format: 'es' },
  build: {
    outDir: SITE,
    emptyOutDir: true,
    target: 'es2022',
    // An inlined asset would need a weaker content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Puts texts where they are used: as exports of shared chunks they need 2 kB more.
      optimization: { inlineConst: true },
      // Small files are compressed less well: what many views use is one chunk, and so are the parser of numbers and its
      // data. Together the first load has 9 kB less. No first view has the forms of the vendors.
      output: {
        codeSplitting: {
          groups: [
            { name: 'phone', test: /libphonenumber/ },
            { name: 'vendors', test: /providers\/(?:src\/(?!credential-fields)|vendors)/ },
            { name: 'shared', minShareCount: 4 },
          ],
        },
      },
    },
  },
  // The API of `npm run dev` or `npm start`, which listen on PORT.
  server: {
    proxy: { '/api': { target: `http://127.0.0.1:${process.env['PORT'] ?? 3000}`, ws: true } },
  },
});
