import { expect, test } from 'vitest';
import { MAX_RESTARTS, type Run, keepRunning } from './keep-running.ts';

/** Keeps a part running on a clock of its own. Each run lasts as long as `lastsMs` says, or fails to start. */
async function keep(lastsMs: (start: number) => number | 'fails', ends = Infinity) {
  let time = 0;
  let starts = 0;
  const waits: number[] = [];
  const lines: string[] = [];
  const stop = new AbortController();
  const reasons: string[] = [];
  const run = (ms: number): Run => ({
    exited: Promise.resolve().then(() => {
      time += ms;
      return 'api ended with exit code 1.';
    }),
  });
  await keepRunning(run(600_000), {
    name: 'api',
    async start() {
      starts += 1;
      if (starts === ends) stop.abort();
      const ms = lastsMs(starts);
      if (ms === 'fails') throw new Error('api was not ready within 60 s.');
      return run(ms);
    },
    report: (line) => lines.push(line),
    giveUp: (reason) => reasons.push(reason),
    signal: stop.signal,
    now: () => time,
    async wait(ms) {
      waits.push(ms);
      time += ms;
    },
  });
  return { waits, lines, reasons, starts };
}

test.each([
  ['ends at once', () => 0],
  ['never becomes ready', () => 'fails' as const],
])(
  'a process that %s is restarted with growing delays of up to 30 s, and finally abandoned with its reason',
  async (_, lastsMs) => {
    const { waits, reasons, starts } = await keep(lastsMs);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(starts).toBe(MAX_RESTARTS);
    expect(reasons).toEqual([
      expect.stringMatching(/^api (ended|was not ready).*It was restarted 8 times in a row\.$/),
    ]);
  },
);

test('a part that ran for a minute before it ended is started again without end, after one second', async () => {
  const { waits, reasons, lines } = await keep(() => 60_000, 50);
  expect([new Set(waits), reasons]).toEqual([new Set([1_000]), []]);
  expect(lines.slice(0, 2)).toEqual([
    'api ended with exit code 1. Restarting it in 1 s (restart 1 of 8).',
    'api is running again.',
  ]);
});

test('a process that is stopped on purpose is not restarted', async () => {
  const stop = new AbortController();
  stop.abort();
  const unwanted = () => expect.unreachable();
  await keepRunning(
    { exited: Promise.resolve('api ended.') },
    { name: 'api', start: unwanted, report: unwanted, giveUp: unwanted, signal: stop.signal },
  );
});
