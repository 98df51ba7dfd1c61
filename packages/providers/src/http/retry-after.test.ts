import { expect, test } from 'vitest';

import { parseRetryAfter } from './retry-after.ts';

const NOW = Date.UTC(2026, 10, 20, 4, 33, 0);

test.each([
  ['seconds', '12', 12_000],
  ['zero seconds', '0', 0],
  ['an HTTP date', 'Fri, 20 Nov 2026 04:33:30 GMT', 30_000],
  ['a date in the past', 'Fri, 20 Nov 2026 04:32:00 GMT', 0],
  ['more than an hour', '86400', 3_600_000],
  ['a date far in the future', 'Fri, 20 Nov 2099 04:33:30 GMT', 3_600_000],
  ['nothing', undefined, null],
  ['an empty header', ' ', null],
  ['words', 'soon', null],
])('Retry-After with %s is parsed or ignored', (_case, header, expected) => {
  expect(parseRetryAfter(header, NOW)).toBe(expected);
});
