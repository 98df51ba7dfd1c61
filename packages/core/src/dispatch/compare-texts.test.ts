import { describe, expect, test } from 'vitest';
import { mayBeAltered, tellsText } from './compare-texts.ts';

const OURS = 'Your code is 123456. Café at “Noon” – bring it.';

describe('a text that differs from ours may be ours', () => {
  test.each([
    ['with the trial prefix', `Sent from your Twilio trial account - ${OURS}`],
    ['with a suffix', `${OURS} Reply STOP to unsubscribe`],
    ['re-encoded', 'Your code is 123456. Cafe at "Noon" - bring it.'],
    ['cut', OURS.slice(0, 12)],
    ['redacted to nothing', ''],
    ['not told', null],
    ['masked', '**REDACTED**'],
    ['masked with stars', '*** ******'],
    ['from the same template', 'Your code is 987654. Goodbye.'],
    ['sharing four letters in a row', 'Inventory: decode 0'],
  ])('%s', (_how, theirs) => expect(mayBeAltered(OURS, theirs)).toBe(true));

  test('when ours has too little to compare', () => {
    expect(mayBeAltered('🎉🎉', 'Something else entirely')).toBe(true);
    expect(mayBeAltered('', 'Sent from your Twilio trial account - ')).toBe(true);
  });
});

test.each([
  'Dein Paket kommt heute um drei',
  'Invoice due',
  // Three letters in a row, and not four.
  'Cod liver',
])('a text that shares no four letters or digits in a row with ours is another’s: %s', (theirs) => {
  expect(mayBeAltered(OURS, theirs)).toBe(false);
});

describe('an answer tells our text', () => {
  test.each([
    OURS,
    `Sent from your Twilio trial account - ${OURS}`,
    'Your code is 123456. Cafe at "Noon" - bring it.',
    '',
    null,
    '**REDACTED**',
  ])('told as %j', (theirs) => expect(tellsText(OURS, theirs)).toBe(true));

  test('and not another one of the same template', () => {
    expect(tellsText(OURS, OURS.replace('123456', '987654'))).toBe(false);
    expect(tellsText('🎉', 'Hello')).toBe(false);
  });
});
