import { request } from 'undici';
import { countMatches, readPage } from '@switchboard/database';
import { openTestDatabase } from '@switchboard/testing';
import { collectFigures } from '../history/collect-figures.ts';
import { fillDatabases } from '../history/fill-databases.ts';
import { measureDelivery } from '../history/measure-delivery.ts';
import { measureSearch } from '../history/measure-search.ts';
import { storeCounts } from '../history/store-counts.ts';
import { FILTERS, toQuery } from '../history/filters.ts';
import { idsOf } from '../history/generate-messages.ts';
import { type MessageCost, openCostMeter } from '../history/measure-message-cost.ts';
import { type Figure, type RunOptions, type Scenario, latency } from '../scenario.ts';
import { type BenchEnvironment, openBenchEnvironment } from '../environment/open-environment.ts';
import { percentile } from '@switchboard/testing/percentile';
import { median } from '../statistics.ts';

const WORKSPACES = 10;
const PAGE = { offset: 0, size: 50 };

export const history: Scenario = {
  name: 'history',
  summary:
    'every filter and pair, totals, the search, statistics, far pages and the cost of a message at 10,000,000 messages (short: 200,000)',

  async run(options: RunOptions): Promise<Figure[]> {
    const [usual, repeats, batches] = options.short ? [200_000, 10, 20] : [10_000_000, 20, 100];
    const messages = options.messages ?? usual;
    const environment = await openBenchEnvironment({
      ...options,
      workspaces: WORKSPACES,
      keptFolder: options.dataFolder,
    });
    try {
      const { smallDatabaseUrl } = await fillDatabases(environment, messages, options.onProgress);
      const api = await environment.startApi();
      const apiKey = environment.workspaces[0]?.apiKey ?? '';
      // After this, V8 has compiled the hot functions.
      for (let number = 0; number < 50; number += 1) await fetchList(api.url, apiKey, '');
      const inFirstWorkspace = {
        databaseUrl: environment.databaseUrl,
        workspaceId: environment.workspaces[0]?.workspaceId ?? '',
        messages,
        repeats,
        onProgress: options.onProgress,
      };
      return [
        ...(await storeCounts(inFirstWorkspace)),
        ...(await measureReads(environment, api.url, repeats, options.onProgress)),
        ...(await measureSearch(inFirstWorkspace)),
        ...(await measureDelivery(inFirstWorkspace)),
        ...(await measureFarPage(api.url, apiKey, messages, repeats)),
        ...(await compareMessageCosts(
          smallDatabaseUrl,
          environment.databaseUrl,
          batches,
          options.onProgress,
        )),
      ];
    } finally {
      await environment.close();
    }
  },
};

/** Measures the queries for the page and the total separately, as the API runs them, and the whole request. */
async function measureReads(
  environment: BenchEnvironment,
  apiUrl: string,
  repeats: number,
  onProgress: RunOptions['onProgress'],
): Promise<readonly Figure[]> {
  const database = openTestDatabase(environment.databaseUrl, { poolSize: 1 });
  environment.onClose(() => database.close());
  const { pool } = database;
  const { workspaceId = '', apiKey = '' } = environment.workspaces[0] ?? {};
  const ids = idsOf(workspaceId);
  const { figures, add } = collectFigures(onProgress);
  for (const { name, totalGoalMs, filter } of FILTERS) {
    onProgress(name);
    const filters = Array.from({ length: repeats }, (_, number) => filter(number, ids));
    // Reads everything once, so that the measured data is in memory, as in a database in use.
    for (const each of filters) await readPage(pool, workspaceId, each, PAGE);
    const pages = await timeEach(filters, (each) => readPage(pool, workspaceId, each, PAGE));
    const totals = await timeEach(filters, (each) => countMatches(pool, workspaceId, each));
    const answers = await timeEach(filters, (each) => fetchList(apiUrl, apiKey, toQuery(each)));
    add(
      latency(`${name}: page, p50`, median(pages)),
      latency(`${name}: page, p95`, percentile(pages, 0.95), 20),
      latency(`${name}: total, p50`, median(totals)),
      latency(`${name}: total, p95`, percentile(totals, 0.95), totalGoalMs),
      latency(`${name}: answer, p95`, percentile(answers, 0.95)),
    );
  }
  return figures;
}

async function measureFarPage(
  apiUrl: string,
  apiKey: string,
  messages: number,
  repeats: number,
): Promise<Figure[]> {
  // In the short form, a workspace has fewer than 10,000 pages of the largest size.
  const size = Math.floor(Math.min(100, messages / WORKSPACES / 10_000));
  const queries = Array.from({ length: repeats }, () => `page=10000&limit=${size}`);
  const times = await timeEach(queries, (query) => fetchList(apiUrl, apiKey, query));
  return [latency(`page 10,000 of ${size}: answer, p95`, percentile(times, 0.95), 100)];
}

/** Measures both databases in turn, so that other load affects both. The first round of each is not counted. */
async function compareMessageCosts(
  smallDatabaseUrl: string,
  databaseUrl: string,
  batches: number,
  onProgress: RunOptions['onProgress'],
): Promise<Figure[]> {
  onProgress('the cost of a message');
  const small = await openCostMeter(smallDatabaseUrl);
  const large = await openCostMeter(databaseUrl);
  try {
    const costs: { small: MessageCost; large: MessageCost }[] = [];
    for (let round = 0; round < 6; round += 1) {
      const cost = { small: await small.measure(batches), large: await large.measure(batches) };
      if (round > 0) costs.push(cost);
    }
    const of = (table: 'small' | 'large', part: keyof MessageCost) =>
      median(costs.map((cost) => cost[table][part]));
    return (['cpuMicroseconds', 'statementMicroseconds'] as const).flatMap((part): Figure[] => {
      const what = part === 'cpuMicroseconds' ? 'CPU time' : 'statement time';
      const [before, after] = [of('small', part), of('large', part)];
      return [
        { name: `a message, a tenth of the rows: ${what}`, value: before, unit: 'µs', goal: null },
        { name: `a message, all rows: ${what}`, value: after, unit: 'µs', goal: null },
        {
          name: `a message, ratio of all rows to a tenth: ${what}`,
          value: after / before,
          unit: 'times',
          goal: { atMost: 1.2 },
        },
      ];
    });
  } finally {
    await small.close();
    await large.close();
  }
}

async function timeEach<T>(
  inputs: readonly T[],
  run: (input: T) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (const input of inputs) {
    const before = performance.now();
    await run(input);
    times.push(performance.now() - before);
  }
  return times;
}

async function fetchList(url: string, apiKey: string, query: string): Promise<void> {
  const answer = await request(`${url}/api/messages?${query}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${query} was answered with ${text}`);
}
