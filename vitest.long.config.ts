import { defineConfig, mergeConfig } from 'vitest/config';
import shared from './vitest.config.ts';

/** Tests that take minutes: `npm run test:long`. One file at a time, because each loads the whole machine. */
const { include: _short, ...test } = shared.test ?? {};

export default mergeConfig(
  { ...shared, test },
  defineConfig({
    test: {
      include: ['{apps/*,ops,scripts}/test-long/**/*.test.ts'],
      fileParallelism: false,
      isolate: true,
      // Also prints the annotations of tests that pass.
      reporters: ['verbose'],
      testTimeout: 15 * 60_000,
      hookTimeout: 5 * 60_000,
    },
  }),
);
