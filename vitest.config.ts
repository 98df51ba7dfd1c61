import { defineConfig } from 'vitest/config';

// Tests read the packages' TypeScript source through their own export condition.
const conditions = ['@switchboard/source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // PostgreSQL and Redis for the run, on demand; and no file may leave anything open.
    globalSetup: ['packages/testing/src/global-setup.ts'],
    setupFiles: ['packages/testing/src/fail-on-leak.ts'],
    include: ['{packages,apps}/*/{src,test}/**/*.test.ts', '{scripts,ops/test}/*.test.ts'],
    // Most files wait for processes of their own more than they compute.
    maxWorkers: 3,
    // Titles of generated tests name the whole route.
    chaiConfig: { truncateThreshold: 200 },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
