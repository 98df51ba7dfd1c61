import { EVENTUALLY } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import { ApiError, readRetryAfter } from '../../api/api-error.ts';
import type { PlannedRow } from './plan/plan-import.ts';
import { type ImportBatch, type ImportProgress, sendImport } from './send-import.ts';

/** A server that stores numbers, after the errors that it throws first. */
function createServer(options: { errors?: Error[]; isInvalid?(number: string): boolean } = {}) {
  const errors = [...(options.errors ?? [])];
  const stored: string[] = [];
  const importBatch: ImportBatch = async (contacts) => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    const numbers = contacts.map(({ number }) => number);
    if (numbers.some((number) => options.isInvalid?.(number) === true)) {
      throw new ApiError('invalid_params', '`contacts[0].number` must be valid');
    }
    stored.push(...numbers);
    return { results: numbers.map(() => ({ result: 'created', reason: null })) };
  };
  return { importBatch, stored };
}

const toRow = (row: number): PlannedRow => ({
  row,
  contact: { number: `+1415555${1_000 + row}`, other_numbers: [], name: '', tags: [], fields: {} },
});
const numberOf = (row: number): string => toRow(row).contact.number;

async function* batchesOf(...batches: number[][]) {
  for (const batch of batches) yield batch.map(toRow);
}

function send(
  importBatch: ImportBatch,
  batches: AsyncIterable<PlannedRow[]>,
  stop = new AbortController(),
) {
  const progress: ImportProgress[] = [];
  const outcome = sendImport(importBatch, batches, {
    signal: stop.signal,
    onProgress: (each) => progress.push(each),
  });
  return { outcome, progress, stop };
}

test.each([
  ['rate limited', new ApiError('rate_limited', '', { retryAfterMs: 90_000 }), 90_000],
  ['rate limited without a time', new ApiError('rate_limited', ''), 5_000],
  ['down for a time', new ApiError('service_unavailable', '', { retryAfterMs: 30_000 }), 30_000],
])('a batch that is %s is sent again after the time, and only once', async (_what, error, ms) => {
  vi.useFakeTimers();
  try {
    const { importBatch, stored } = createServer({ errors: [error] });
    const { outcome, progress } = send(importBatch, batchesOf([2, 3], [4]));
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect([stored, progress]).toEqual([[], [{ sent: 0, isWaiting: true }]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toEqual({ created: 3, updated: 0, kept: 0, sent: 3, refused: [] });
    expect(stored).toEqual([2, 3, 4].map(numberOf));
    expect(progress.at(-1)).toEqual({ sent: 3, isWaiting: false });
  } finally {
    vi.useRealTimers();
  }
});

test('a contact that the server refuses as invalid never blocks the others of its batch', async () => {
  const bad = numberOf(5);
  const { importBatch, stored } = createServer({ isInvalid: (number) => number === bad });
  const { outcome } = send(importBatch, batchesOf([2, 3, 4, 5, 6, 7]));
  expect(await outcome).toMatchObject({
    created: 5,
    sent: 6,
    refused: [{ row: 5, reason: 'invalid' }],
  });
  expect(stored.toSorted()).toEqual([2, 3, 4, 6, 7].map(numberOf));
});

test('an import that is stopped while it waits ends immediately and reports how many contacts it has sent', async () => {
  const stop = new AbortController();
  const { importBatch, stored } = createServer();
  async function* batches() {
    yield [toRow(2)];
    stop.abort();
    yield [toRow(3)];
  }
  expect(await send(importBatch, batches(), stop).outcome).toMatchObject({ created: 1, sent: 1 });
  expect(stored).toEqual([numberOf(2)]);
  const waiting = createServer({
    errors: [new ApiError('rate_limited', '', { retryAfterMs: 3_600_000 })],
  });
  const run = send(waiting.importBatch, batchesOf([2]));
  await expect.poll(() => run.progress, EVENTUALLY).toEqual([{ sent: 0, isWaiting: true }]);
  run.stop.abort();
  expect(await run.outcome).toMatchObject({ created: 0, sent: 0 });
});

test('an error that no wait mends ends the import', async () => {
  const { importBatch } = createServer({
    errors: [new ApiError('quota_exceeded', 'too many contacts')],
  });
  await expect(send(importBatch, batchesOf([2])).outcome).rejects.toThrow('too many contacts');
});

test.each([
  ['120', 120_000],
  ['Sat, 28 Nov 2026 02:00:30 GMT', 30_000],
  ['Sat, 28 Nov 2026 01:00:00 GMT', 0],
  ['soon', null],
  [null, null],
])('the Retry-After %j is read as %j ms', (value, ms) => {
  const headers = new Headers(value === null ? {} : { 'retry-after': value });
  expect(readRetryAfter(headers, Date.parse('2026-11-28T02:00:00Z'))).toBe(ms);
});
