import { createDatabase, createIndexMessages, createSearchMessages } from '@switchboard/database';
import { percentile } from '@switchboard/testing/percentile';
import { type Figure, latency } from '../scenario.ts';
import { median } from '../statistics.ts';

const GOAL_MS = 150;
const REPORT_EVERY_MS = 10_000;

/** Searches whose words are in all, one, none and the oldest messages. */
const SEARCHES: { name: string; text(number: number, messages: number): string }[] = [
  { name: 'a word in every message', text: () => 'table' },
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
  { name: 'the last digits of a number', text: (n) => `(202) 00${10_000 + 37 * n}` },
];

/** Makes all messages searchable, and measures the first page of searches in one workspace. */
export async function measureSearch(options: {
  databaseUrl: string;
  workspaceId: string;
  messages: number;
  repeats: number;
  onProgress(what: string): void;
}): Promise<Figure[]> {
  const { workspaceId, messages, repeats, onProgress } = options;
  const database = createDatabase({
    url: options.databaseUrl,
    poolSize: 1,
    applicationName: 'bench-search',
    onError: () => undefined,
  });
  try {
    const startedAt = performance.now();
    const indexMessages = createIndexMessages(database);
    while (await indexMessages(REPORT_EVERY_MS)) onProgress('indexing for the search');
    const indexMs = performance.now() - startedAt;
    await database.pool.query('VACUUM message_chunks');
    const search = createSearchMessages(database);
    const figures: Figure[] = [];
    for (const { name, text } of SEARCHES) {
      onProgress(`search: ${name}`);
      const texts = Array.from({ length: repeats }, (_, number) => text(number, messages));
      const times: number[] = [];
      for (const [at, each] of [...texts, ...texts].entries()) {
        const before = performance.now();
        await search(workspaceId, each, null);
        // The first round reads the data into memory, as in a database in use.
        if (at >= texts.length) times.push(performance.now() - before);
      }
      figures.push(
        latency(`search, ${name}: p50`, median(times)),
        latency(`search, ${name}: p95`, percentile(times, 0.95), GOAL_MS),
      );
    }
    const size = await database.pool.query<{ bytes: string }>(
      `SELECT pg_total_relation_size('message_chunks') AS bytes`,
    );
    const bytes = Number(size.rows[0]?.bytes ?? 0);
    return [
      ...figures,
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
    ];
  } finally {
    await database.close();
  }
}
