import {
  createIndexMessages,
  createListMessages,
  createSearchMessages,
} from '@switchboard/database';
import { openTestDatabase } from '@switchboard/testing';
import { percentile } from '@switchboard/testing/percentile';
import { type Figure, latency } from '../scenario.ts';
import { median } from '../statistics.ts';
import { collectFigures } from './collect-figures.ts';

const GOAL_MS = 150;
const REPORT_EVERY_MS = 10_000;
const PAGE = { number: 1, size: 50 };

const numberOf = (n: number): string => String(10_000 + 37 * n);

/** Searches that match all messages, a few, one or none. */
const SEARCHES: { name: string; text(number: number, messages: number): string }[] = [
  { name: 'a word in every message', text: () => 'table' },
  { name: 'the beginning of a word in every message', text: () => 't' },
  { name: 'words in every message', text: () => 'your booked table' },
  {
    name: 'words of one message',
    text: (n, messages) => `${Math.ceil(messages / (n + 2))} booked`,
  },
  {
    name: 'the beginning of a rare word',
    text: (n, messages) => String(Math.ceil(messages / (n + 2))).slice(0, -1),
  },
  { name: 'a word in no message', text: (n) => `xylophone${n}` },
  { name: 'words in every message and in none', text: (n) => `table xylophone${n}` },
  { name: 'one digit', text: (n) => String(n % 10) },
  { name: 'the last four digits of a number', text: (n) => numberOf(n).slice(-4) },
  { name: 'the last digits of a number', text: (n) => `(202) 00${numberOf(n)}` },
  { name: 'a whole number with spaces', text: (n) => `+1 202 00${numberOf(n)}` },
  { name: 'a whole number with dashes', text: (n) => `1-202-00${numberOf(n)}` },
  { name: 'a name of a contact', text: (n) => `Example ${numberOf(n)}` },
  { name: 'a name of every contact', text: () => 'Ada' },
];

/** Makes all messages searchable, and measures the first page of searches in one workspace. */
export async function measureSearch(options: {
  databaseUrl: string;
  workspaceId: string;
  messages: number;
  repeats: number;
  onProgress(what: string): void;
}): Promise<readonly Figure[]> {
  const { workspaceId, messages, repeats, onProgress } = options;
  // The list reads texts and contacts at the same time, over two connections.
  const database = openTestDatabase(options.databaseUrl, { poolSize: 2 });
  try {
    const startedAt = performance.now();
    const indexMessages = createIndexMessages(database);
    while (await indexMessages(REPORT_EVERY_MS)) onProgress('indexing for the search');
    const indexMs = performance.now() - startedAt;
    await database.pool.query('VACUUM message_chunks');
    const search = createSearchMessages(database);
    const list = createListMessages(database);
    const { figures, add } = collectFigures(onProgress);
    const measure = async (
      what: string,
      { name, text }: (typeof SEARCHES)[number],
      read: (text: string) => Promise<unknown>,
    ): Promise<void> => {
      onProgress(`${what}: ${name}`);
      const texts = Array.from({ length: repeats }, (_, number) => text(number, messages));
      const times: number[] = [];
      for (const [at, each] of [...texts, ...texts].entries()) {
        const before = performance.now();
        await read(each);
        // The first round reads the data into memory, as in a database in use.
        if (at >= texts.length) times.push(performance.now() - before);
      }
      add(
        latency(`${what}, ${name}: p50`, median(times)),
        latency(`${what}, ${name}: p95`, percentile(times, 0.95), GOAL_MS),
      );
    };
    for (const each of SEARCHES) {
      await measure('search', each, (text) => search(workspaceId, text, null));
      await measure('list with search', each, (text) => list(workspaceId, { search: text }, PAGE));
    }
    const size = await database.pool.query<{ bytes: string }>(
      `SELECT pg_total_relation_size('message_chunks') AS bytes`,
    );
    const bytes = Number(size.rows[0]?.bytes ?? 0);
    add(
      {
        name: 'indexing a message for the search',
        value: (indexMs * 1_000) / messages,
        unit: 'µs',
        goal: null,
      },
      {
        name: 'the size of the search index per message',
        value: bytes / messages / 1_000,
        unit: 'kB',
        goal: null,
      },
    );
    return figures;
  } finally {
    await database.close();
  }
}
