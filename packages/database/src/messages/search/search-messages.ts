import type { Database } from '../../database.ts';
import type { StoredMessage } from '../rows/stored-message.ts';
import { findIds } from './find-ids.ts';
import { readByIds } from './read-by-ids.ts';
import { isEmpty, readTerms } from './read-terms.ts';

export interface FoundMessages {
  messages: StoredMessage[];
  /** Where the search continues; null at the end of the history. A page may be short or empty. */
  next: string | null;
}

export type SearchMessages = ReturnType<typeof createSearchMessages>;

const PAGE_SIZE = 50;

/** Creates the search for words in texts and for numbers, newest first, over the whole history. */
export function createSearchMessages({ pool }: Pick<Database, 'pool'>) {
  return async function searchMessages(
    workspaceId: string,
    text: string,
    after: string | null,
  ): Promise<FoundMessages> {
    const terms = readTerms(text);
    if (isEmpty(terms)) return { messages: [], next: null };
    const { ids, next } = await findIds(pool, { workspaceId, terms, after, limit: PAGE_SIZE });
    return { messages: await readByIds(pool, workspaceId, ids), next };
  };
}
