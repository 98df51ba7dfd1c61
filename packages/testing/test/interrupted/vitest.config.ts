import { defineConfig } from 'vitest/config';
import { SHARED } from '../../../../vitest.config.ts';

/** A small run, which a test interrupts. */
export default defineConfig({
  ...SHARED,
  test: { ...SHARED.test, include: ['packages/testing/test/interrupted/hang.ts'] },
});
