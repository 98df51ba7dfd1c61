import { availableParallelism } from 'node:os';
import { type ViteUserConfig, configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Tests read the packages' TypeScript source through their own export condition.
const conditions = ['@switchboard/source', 'node'];

/** Files that take half a minute or longer, the longest first. */
const LONG = [
  'apps/dashboard/test/accessibility.test.ts',
  'apps/worker/test/provider-outage.test.ts',
  'apps/api/test/inbound-outages.test.ts',
  'apps/standalone/test/standalone.test.ts',
  'apps/worker/test/inbound-list.test.ts',
  'apps/api/test/documented-responses/documented-responses.test.ts',
  'apps/api/test/broken-requests/broken-requests.test.ts',
  'apps/api/test/login.test.ts',
  'apps/worker/test/weak-evidence.test.ts',
  'ops/test/observability.test.ts',
];

/** Files that replace a library for their own process, which other files must not share. */
const MOCKS = ['packages/credentials/src/password.test.ts'];

/**
 * Starts the longest files first, so that none runs alone at the end. Vitest cannot predict how long
 * files take: a fresh checkout has no record of earlier runs.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index < 0 ? LONG.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** A single core with other work is ten times slower than two free ones. */
const HANG_MS = 15 * 60_000;

/** The settings that all configurations of this repository share. Each configuration names its files. */
export const SHARED = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Starts PostgreSQL and Redis for the run, on demand.
    globalSetup: ['packages/testing/src/global-setup.ts'],
    setupFiles: [
      'packages/testing/src/fail-on-leak.ts',
      'packages/testing/src/use-test-services.ts',
    ],
    // Titles of generated tests name the whole route.
    chaiConfig: { truncateThreshold: 200 },
    // Only a test that hangs takes this long: each wait in a test has its own, shorter timeout.
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
  },
} satisfies ViteUserConfig;

export default defineConfig({
  ...SHARED,
  test: {
    ...SHARED.test,
    sequence: { sequencer: LongestFirst },
    // Most files spend more time waiting for their own processes than computing.
    maxWorkers: Math.min(2 * availableParallelism(), 4),
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['{packages,apps}/*/{src,test}/**/*.test.ts', '{scripts,ops/test}/*.test.ts'],
          exclude: [...configDefaults.exclude, ...MOCKS],
          // Files share a process, and with it the loaded modules, except for test and setup files.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'mocks', include: MOCKS } },
    ],
  },
});
