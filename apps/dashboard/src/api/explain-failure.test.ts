import { SLOW_READ } from '@switchboard/contracts';
import { expect, test } from 'vitest';
import { ApiError, isWorthRepeating } from './api-error.ts';
import { explainFailure } from './explain-failure.ts';

const unavailable = (detail: string) => new ApiError('service_unavailable', detail);
const narrower = unavailable(`${SLOW_READ}: shorten the period from \`from\` to \`to\``);

test('a read that took too long is explained with the limit and, if a filter can shorten it, with that advice', () => {
  const [explained, ...others] = explainFailure(narrower);
  expect(explained).toEqual({
    field: null,
    message: expect.stringMatching(/limit of 10 seconds\. Choose a shorter period/),
  });
  expect(others).toEqual([]);
  expect(explainFailure(unavailable(SLOW_READ))).toEqual([
    { field: null, message: expect.stringMatching(/limit of 10 seconds\. Try again later/) },
  ]);
  expect(explainFailure(unavailable('The database is not available'))).toEqual([
    { field: null, message: expect.stringMatching(/^The server is not available/) },
  ]);
});

test('the dashboard repeats a read if the server was unavailable or unreachable, and not if the read took too long', () => {
  expect(isWorthRepeating(unavailable('The database is not available'))).toBe(true);
  expect(isWorthRepeating(new ApiError('unreachable', 'No response'))).toBe(true);
  expect(isWorthRepeating(narrower)).toBe(false);
  expect(isWorthRepeating(new ApiError('not_found', 'No such message'))).toBe(false);
});
