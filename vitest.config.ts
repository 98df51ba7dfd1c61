import { configDefaults, defineConfig } from 'vitest/config';

// Tests read the packages' TypeScript source through their own export condition.
const conditions = ['@switchboard/source', 'node'];

/** Files that take half a minute or longer. */
const LONG = [
  'apps/chaos/test/small-chaos.test.ts',
  'apps/cli/test/rotation-under-load.test.ts',
  'apps/dashboard/test/accessibility.test.ts',
  'apps/standalone/test/standalone.test.ts',
  'apps/api/test/inbound-outages.test.ts',
  'apps/api/test/login.test.ts',
  'apps/worker/test/provider-outage.test.ts',
  'apps/cli/test/restore.test.ts',
  'apps/worker/test/inbound-list.test.ts',
  'ops/test/observability.test.ts',
];
/** Files that replace a library for their own process, which other files must not share. */
const MOCKS = ['packages/credentials/src/password.test.ts'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Starts PostgreSQL and Redis for the run, on demand.
    globalSetup: ['packages/testing/src/global-setup.ts'],
    setupFiles: [
      'packages/testing/src/fail-on-leak.ts',
      'packages/testing/src/use-test-services.ts',
    ],
    // Most files wait for processes of their own more than they compute.
    maxWorkers: 4,
    // Vitest starts the files of the first project first: the longest ones, so that none runs alone at
    // the end. It can't know how long they take: a fresh checkout has no record of earlier runs.
    projects: [
      { extends: true, test: { name: '1-long', include: LONG, isolate: false } },
      { extends: true, test: { name: '2-mocks', include: MOCKS } },
      {
        extends: true,
        test: {
          name: '3-rest',
          include: ['{packages,apps}/*/{src,test}/**/*.test.ts', '{scripts,ops/test}/*.test.ts'],
          exclude: [...configDefaults.exclude, ...LONG, ...MOCKS],
          // Files share a process, and with it the loaded libraries. Vitest evaluates our own modules
          // again for each file.
          isolate: false,
        },
      },
    ],
    // Titles of generated tests name the whole route.
    chaiConfig: { truncateThreshold: 200 },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
