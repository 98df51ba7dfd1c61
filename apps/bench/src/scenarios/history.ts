import { request } from 'undici';
import { generateMessages } from '../history/generate-messages.ts';
import type { Figure, RunOptions, Scenario } from '../scenario.ts';
import { openStage } from '../stage/open-stage.ts';
import { percentile } from '../statistics.ts';

const DAY_MS = 86_400_000;
const WORKSPACES = 10;

/** Whole answers are measured: the page and its exact total, over HTTP. */
const QUERIES: readonly { name: string; goalMs: number; query(number: number): string }[] = [
  { name: 'no filter', goalMs: 20, query: () => '' },
  { name: 'status, most', goalMs: 20, query: () => 'status=delivered' },
  { name: 'status, few', goalMs: 20, query: () => 'status=undelivered' },
  { name: 'direction', goalMs: 20, query: () => 'direction=inbound' },
  { name: 'from', goalMs: 250, query: (n) => `from=${ours(n)}` },
  { name: 'to', goalMs: 250, query: (n) => `to=${other(n)}` },
  { name: 'a day', goalMs: 250, query: (n) => day(n) },
  { name: 'status and direction', goalMs: 250, query: () => 'status=failed&direction=outbound' },
  { name: 'from and to', goalMs: 250, query: (n) => `from=${ours(n)}&to=${other(n)}` },
  { name: 'to and status', goalMs: 250, query: (n) => `to=${other(n)}&status=delivered` },
  { name: 'from and status', goalMs: 250, query: (n) => `from=${ours(n)}&status=failed` },
  { name: 'a day and status', goalMs: 250, query: (n) => `${day(n)}&status=failed` },
];

export const history: Scenario = {
  name: 'history',
  summary:
    'filters, totals and far pages at 10,000,000 messages (short: 200,000), a tenth in one workspace',

  async run(options: RunOptions): Promise<Figure[]> {
    const [messages, repeats] = options.short ? [200_000, 20] : [10_000_000, 40];
    const stage = await openStage({ ...options, workspaces: WORKSPACES });
    try {
      const startedAt = performance.now();
      await generateMessages({
        databaseUrl: stage.databaseUrl,
        workspaceIds: stage.workspaces.map((workspace) => workspace.workspaceId),
        messages,
        onProgress: options.onProgress,
      });
      const generatedIn = (performance.now() - startedAt) / 1000;
      const api = await stage.startApi();
      const apiKey = stage.workspaces[0]?.apiKey ?? '';

      async function measure(query: (number: number) => string): Promise<number> {
        const times: number[] = [];
        for (let number = 0; number < repeats; number += 1) {
          const before = performance.now();
          await listMessages(api.url, apiKey, query(number));
          times.push(performance.now() - before);
        }
        return percentile(times, 0.95);
      }

      await measure(() => '');
      const figures: Figure[] = [];
      for (const { name, goalMs, query } of QUERIES) {
        options.onProgress(name);
        const value = await measure(query);
        figures.push({ name: `${name}, p95`, value, unit: 'ms', goal: { atMost: goalMs } });
      }
      // A workspace of the short form has no 10,000 pages of the largest size.
      const size = Math.min(100, messages / WORKSPACES / 10_000);
      figures.push({
        name: 'page 10,000, p95',
        value: await measure(() => `page=10000&limit=${Math.floor(size)}`),
        unit: 'ms',
        goal: { atMost: 100 },
      });
      figures.push({ name: 'rows made in', value: generatedIn, unit: 'seconds', goal: null });
      return figures;
    } finally {
      await stage.close();
    }
  },
};

function ours(number: number): string {
  return `%2B1500555${String(number % 5).padStart(4, '0')}`;
}

function other(number: number): string {
  return `%2B1202${String((number * 997) % 50_000).padStart(7, '0')}`;
}

function day(number: number): string {
  const from = Date.now() - (2 + number) * DAY_MS;
  const iso = (ms: number) => new Date(ms).toISOString();
  return `startDate=${iso(from)}&endDate=${iso(from + DAY_MS)}`;
}

async function listMessages(url: string, apiKey: string, query: string): Promise<void> {
  const answer = await request(`${url}/api/messages?${query}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${query} was answered with ${text}`);
}
