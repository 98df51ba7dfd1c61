import { defineConfig } from 'vitest/config';
import { SHARED } from './vitest.config.ts';

/** A small run, which packages/testing/test/interrupted-run.test.ts interrupts. */
export default defineConfig({
  ...SHARED,
  test: { ...SHARED.test, include: ['packages/testing/test/interrupted/hang.ts'] },
});
