import { defineConfig } from 'vitest/config';
import { SHARED } from './vitest.config.ts';

/** Tests that take minutes: `npm run test:long`. One file at a time, because each loads the whole machine. */
export default defineConfig({
  ...SHARED,
  test: {
    ...SHARED.test,
    include: ['{apps/*,packages/*,ops,scripts}/test-long/**/*.test.ts'],
    fileParallelism: false,
    // Also prints the annotations of tests that pass.
    reporters: ['verbose'],
  },
});
