import { type Database, createErasingStore, createRedactionStore } from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';
import type { Logger } from '@switchboard/runtime';
import type { TryTransition } from '../try-transition.ts';
import { createErasePeople } from './erase-people.ts';
import { createRedactMessages } from './redact-messages.ts';

/** Creates the two tasks of an erasure: here, and at the providers. */
export function createErasing(dependencies: {
  database: Database;
  transition: TryTransition;
  resolveProviderAccount: ResolveProviderAccount;
  logger: Logger;
}) {
  const { database } = dependencies;
  return {
    erasePeople: createErasePeople({ ...dependencies, store: createErasingStore(database) }),
    redactMessages: createRedactMessages({
      ...dependencies,
      store: createRedactionStore(database),
    }),
  };
}
