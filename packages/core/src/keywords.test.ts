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
])('%j opts out', (body) => expect(findKeyword(body)).toBe('opt_out'));
test.each(['START', 'yes', 'Unstop'])('%j opts in', (body) =>
  expect(findKeyword(body)).toBe('opt_in'),
);
test.each(['HELP', 'info'])('%j asks for help', (body) => expect(findKeyword(body)).toBe('help'));
test.each(['', 'stop it', 'please stop', 'STOP.', 'yes please', 'helpful', 'opt  out'])(
  '%j is a text like any other',
  (body) => expect(findKeyword(body)).toBe(null),
);
