import path from 'node:path';
import { defineConfig } from 'vite';

/** Builds the page with the phones, which the simulator serves at `/`. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'phone'),
  base: './',
  build: {
    outDir: path.join(import.meta.dirname, 'dist/site'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
