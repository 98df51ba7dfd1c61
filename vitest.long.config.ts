import { defineConfig, mergeConfig } from 'vitest/config';
import shared from './vitest.config.ts';

/** What takes minutes: `npm run test:long`. One file at a time, for each has the machine's whole load. */
const { projects: _short, ...test } = shared.test ?? {};

export default mergeConfig(
  { ...shared, test },
  defineConfig({
    test: {
      include: ['{apps/*,ops,scripts}/test-long/**/*.test.ts'],
      fileParallelism: false,
      // Prints what a test notes of itself when it passes, too.
      reporters: ['verbose'],
      testTimeout: 15 * 60_000,
      hookTimeout: 5 * 60_000,
    },
  }),
);
