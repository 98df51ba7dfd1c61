import { expect, test } from 'vitest';
import { findForbiddenWords } from './check-words.mjs';

test.each([
  ['// Waits for the calls under way.', '1: “under way”: use in flight, in progress'],
  ['a\nconst s = `has a Time-out`;', '2: “Time-out”: use timeout'],
  ['| nobody, not even an owner |', '1: “nobody”: use the process, caller or user that is meant'],
  ['const verdict = judge();', '1: “verdict”: use result'],
  ['While the database is away.', '1: “is away”: use unavailable, down'],
  ['It tells the owner.', '1: “tells”: use report, notify, show'],
  ['Kept, also after a restart.', '1: “, also after”: use even, including'],
  ['// The neighbour.', '1: “neighbour”: use the American spelling'],
])('a forbidden word is reported with its line and its replacement: %j', (text, problem) => {
  expect(findForbiddenWords(text)).toEqual([problem]);
});

test.each([
  'nobody@example.com',
  "url.replace('/mymaster', '/nobody')",
  'planes and lanesplitting',
  'Its prefix helps to tell keys apart.',
])('a name or address that contains a forbidden word is allowed: %j', (text) =>
  expect(findForbiddenWords(text)).toEqual([]),
);
