import {
  countMatches,
  createCountDeliveries,
  createIndexMessages,
  createListMessages,
  createSearchMessages,
  createStoreBreakdowns,
  readPage,
} from '@switchboard/database';
import { openTestDatabase } from '@switchboard/testing';
import { fillDatabases } from '../history/fill-databases.ts';
import { FILTERS, toQuery } from '../history/filters.ts';
import { idsOf } from '../history/generate-messages.ts';
import { type MessageCost, openCostMeter } from '../history/message-cost.ts';
import type { Run, Scenario } from '../scenario.ts';
import { median, timeEach } from '../statistics.ts';

const WORKSPACES = 10;
const PAGE = { offset: 0, size: 50 };
const SHARES = [0.5, 0.95];
const REPORT_EVERY_MS = 10_000;
const DAY_MS = 86_400_000;

export const history: Scenario = {
  name: 'history',
  summary:
    'every filter and pair, totals, the search, statistics, far pages and the cost of a message at 10,000,000 messages (short: 200,000)',
  async run(run) {
    const [usual, repeats, batches] = run.short ? [200_000, 10, 20] : [10_000_000, 20, 100];
    const messages = run.messages ?? usual;
    const keptFolder = run.dataFolder;
    const environment = await run.open({ workspaces: WORKSPACES, keptFolder });
    const smallUrl = await fillDatabases(environment, messages, run.progress);
    const { databaseUrl, workspace } = environment;
    const { url } = await environment.startApi();
    const fetchList = (query: string) =>
      environment.http.callText(`${url}/api/messages?${query}`, { token: workspace.apiKey });
    // After this, V8 has compiled the hot functions.
    for (let number = 0; number < 50; number += 1) await fetchList('');
    // The list reads texts and contacts at the same time, over two connections.
    const database = openTestDatabase(databaseUrl, { poolSize: 2 });
    environment.onClose(() => database.close());
    const { workspaceId } = workspace;
    const reads = { run, database, workspaceId, fetchList, messages, repeats };
    await storeCounts(reads);
    await measureFilters(reads);
    await measureSearch(reads);
    await measureStatistics(reads);
    // In the short form, a workspace has fewer than 10,000 pages of the largest size.
    const size = Math.floor(Math.min(100, messages / WORKSPACES / 10_000));
    const queries = Array.from({ length: repeats }, () => `page=10000&limit=${size}`);
    run.latencies(`page 10,000 of ${size}: response`, await timeEach(queries, fetchList), [0.95]);
    await compareMessageCosts(run, { small: smallUrl, large: databaseUrl }, batches);
  },
};

interface Reads {
  run: Run;
  database: ReturnType<typeof openTestDatabase>;
  workspaceId: string;
  fetchList(query: string): Promise<string>;
  messages: number;
  repeats: number;
}

/** Stores the counts of all past days, as the workers of a running service have done. */
async function storeCounts({ run, database, messages }: Reads): Promise<void> {
  const startedAt = performance.now();
  const store = createStoreBreakdowns(database);
  while (await store(REPORT_EVERY_MS)) run.progress('storing the counts of past days');
  const micros = ((performance.now() - startedAt) * 1_000) / messages;
  run.report('counting a message for the stored counts of past days', 'µs', micros);
  await database.pool.query('VACUUM ANALYZE message_breakdowns');
}

/** Measures the queries for the page and the total separately, as the API runs them, and the whole request. */
async function measureFilters({ run, database, workspaceId, fetchList, repeats }: Reads) {
  const { pool } = database;
  const ids = idsOf(workspaceId);
  for (const { name, filter } of FILTERS) {
    const filters = Array.from({ length: repeats }, (_, number) => filter(number, ids));
    const readOne = (each: (typeof filters)[number]) => readPage(pool, workspaceId, each, PAGE);
    // Reads everything once, so that the measured data is in memory, as in a database in use.
    await timeEach(filters, readOne);
    run.latencies(`${name}: page`, await timeEach(filters, readOne), SHARES);
    const totals = await timeEach(filters, (each) => countMatches(pool, workspaceId, each));
    run.latencies(`${name}: total`, totals, SHARES);
    const responses = await timeEach(filters, (each) => fetchList(toQuery(each)));
    run.latencies(`${name}: response`, responses, [0.95]);
  }
}

const numberOf = (n: number): string => String(10_000 + 37 * n);
const rareWord = (n: number, messages: number): string => String(Math.ceil(messages / (n + 2)));

/** Searches that match all messages, a few, one or none. */
const SEARCHES: Readonly<Record<string, (number: number, messages: number) => string>> = {
  'a word in every message': () => 'table',
  'the beginning of a word in every message': () => 't',
  'words in every message': () => 'your booked table',
  'words of one message': (n, messages) => `${rareWord(n, messages)} booked`,
  'the beginning of a rare word': (n, messages) => rareWord(n, messages).slice(0, -1),
  'a word in no message': (n) => `xylophone${n}`,
  'words in every message and in none': (n) => `table xylophone${n}`,
  'one digit': (n) => String(n % 10),
  'the last four digits of a number': (n) => numberOf(n).slice(-4),
  'the last digits of a number': (n) => `(202) 00${numberOf(n)}`,
  'a whole number with spaces': (n) => `+1 202 00${numberOf(n)}`,
  'a whole number with dashes': (n) => `1-202-00${numberOf(n)}`,
  'a name of a contact': (n) => `Example ${numberOf(n)}`,
  'a name of every contact': () => 'Ada',
};

/** Makes all messages searchable, and measures the first page of searches in one workspace. */
async function measureSearch({ run, database, workspaceId, messages, repeats }: Reads) {
  const startedAt = performance.now();
  const indexMessages = createIndexMessages(database);
  while (await indexMessages(REPORT_EVERY_MS)) run.progress('indexing for the search');
  const micros = ((performance.now() - startedAt) * 1_000) / messages;
  run.report('indexing a message for the search', 'µs', micros);
  await database.pool.query('VACUUM message_chunks');
  const search = createSearchMessages(database);
  const list = createListMessages(database);
  const page = { number: 1, size: PAGE.size };
  const reads = {
    search: (text: string) => search(workspaceId, text, null),
    'list with search': (text: string) => list(workspaceId, { search: text }, page),
  };
  for (const [name, textOf] of Object.entries(SEARCHES)) {
    const texts = Array.from({ length: repeats }, (_, number) => textOf(number, messages));
    for (const [what, read] of Object.entries(reads)) {
      await timeEach(texts, read);
      run.latencies(`${what}: ${name}`, await timeEach(texts, read), SHARES);
    }
  }
  const { rows } = await database.pool.query<{ bytes: string }>(
    `SELECT pg_total_relation_size('message_chunks') AS bytes`,
  );
  const size = Number(rows[0]?.bytes) / messages / 1_000;
  run.report('the size of the search index per message', 'kB', size);
}

/** Periods in days, and how much earlier their days start than days in UTC. */
const PERIODS = [
  { days: 7, shiftMs: 0, name: '7 days' },
  { days: 30, shiftMs: 0, name: '30 days' },
  { days: 90, shiftMs: 0, name: '90 days' },
  { days: 30, shiftMs: 5.5 * 3_600_000, name: '30 days of India' },
];

async function measureStatistics({ run, database, workspaceId, repeats }: Reads): Promise<void> {
  const count = createCountDeliveries(database);
  for (const { name, days, shiftMs } of PERIODS) {
    const to = Math.ceil(Date.now() / DAY_MS) * DAY_MS - shiftMs;
    const period = { from: new Date(to - days * DAY_MS), to: new Date(to) };
    // The first call reads the data into memory.
    await count(workspaceId, period);
    const times = await timeEach(Array.from({ length: repeats }), () => count(workspaceId, period));
    run.latencies(`delivery statistics, ${name}`, times, SHARES);
  }
}

/** Measures both databases in turn, so that other load affects both. The first round of each is not counted. */
async function compareMessageCosts(
  { progress, report }: Run,
  urls: { small: string; large: string },
  batches: number,
): Promise<void> {
  progress('the cost of a message');
  const small = await openCostMeter(urls.small);
  const large = await openCostMeter(urls.large);
  try {
    const costs: { small: MessageCost; large: MessageCost }[] = [];
    for (let round = 0; round < 6; round += 1)
      costs.push({ small: await small.measure(batches), large: await large.measure(batches) });
    for (const part of ['CPU time', 'statement time'] as const) {
      const of = (table: 'small' | 'large') =>
        median(costs.slice(1).map((cost) => cost[table][part]));
      report(`a message, a tenth of the rows: ${part}`, 'µs', of('small'));
      report(`a message, all rows: ${part}`, 'µs', of('large'));
      const ratio = of('large') / of('small');
      report(`a message, ratio of all rows to a tenth: ${part}`, 'times', ratio);
    }
  } finally {
    await small.close();
    await large.close();
  }
}
