import { askTestServices } from '../ask-test-services.ts';

export interface TestDatabase {
  url: string;
  /** Ends what is still connected. Not calling it is fine too: the run's end removes all. */
  drop(): Promise<void>;
}

/**
 * A database of the caller's own, with the schema as the migrations make it, or empty. It is
 * copied from a template in some 50 ms: one per test file, or per test where state would show.
 */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const query = options.empty === true ? '?empty' : '';
  const { url } = (await askTestServices('POST', `/databases${query}`)) as { url: string };
  return {
    url,
    async drop() {
      await askTestServices('DELETE', `/databases?name=${new URL(url).pathname.slice(1)}`);
    },
  };
}
