import { expect, test } from 'vitest';
import { findKeyword } from './keywords.ts';

test.each([
  'STOP',
  'stop',
  ' Stop \n',
  'STOPALL',
  'unsubscribe',
  'Cancel',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
  'opt out',
])('%j is a keyword that opts out', (body) => expect(findKeyword(body)).toBe('opt_out'));
test.each(['START', 'yes', 'Unstop'])('%j is a keyword that opts in', (body) =>
  expect(findKeyword(body)).toBe('opt_in'),
);
test.each(['HELP', 'info'])('%j is a keyword that requests help', (body) =>
  expect(findKeyword(body)).toBe('help'),
);
test.each(['', 'stop it', 'please stop', 'STOP.', 'yes please', 'helpful', 'opt  out'])(
  '%j is not a keyword',
  (body) => expect(findKeyword(body)).toBe(null),
);
