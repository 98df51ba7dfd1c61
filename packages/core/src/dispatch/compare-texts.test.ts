import { describe, expect, test } from 'vitest';
import { mayBeAltered, containsText } from './compare-texts.ts';

const OURS = 'Your code is 123456. Café at “Noon” – bring it.';

describe('mayBeAltered', () => {
  test.each([
    ['with the trial prefix', `Sent from your Twilio trial account - ${OURS}`],
    ['with a suffix', `${OURS} Reply STOP to unsubscribe`],
    ['re-encoded', 'Your code is 123456. Cafe at "Noon" - bring it.'],
    ['shortened', OURS.slice(0, 12)],
    ['empty', ''],
    ['not reported', null],
    ['masked', '**REDACTED**'],
    ['with stars only', '*** ******'],
    ['from the same template with another code', 'Your code is 987654. Goodbye.'],
    ['with four consecutive letters of ours', 'Inventory: decode 0'],
  ])('a text %s may be ours', (_how, theirs) => expect(mayBeAltered(OURS, theirs)).toBe(true));

  test('any text may be that of the row if the row’s text has fewer than four letters and digits', () => {
    expect(mayBeAltered('🎉🎉', 'Something else entirely')).toBe(true);
    expect(mayBeAltered('', 'Sent from your Twilio trial account - ')).toBe(true);
  });
});

test.each([
  'Dein Paket kommt heute um drei',
  'Invoice due',
  // Three consecutive letters, not four.
  'Cod liver',
])(
  'a text that shares no four consecutive letters or digits with ours is not ours: %s',
  (theirs) => {
    expect(mayBeAltered(OURS, theirs)).toBe(false);
  },
);

describe('containsText', () => {
  test.each([
    OURS,
    `Sent from your Twilio trial account - ${OURS}`,
    'Your code is 123456. Cafe at "Noon" - bring it.',
    '',
    null,
    '**REDACTED**',
  ])('a response with the text %j may contain our text', (theirs) =>
    expect(containsText(OURS, theirs)).toBe(true),
  );

  test('a response with a text from the same template, but with another code, does not contain our text', () => {
    expect(containsText(OURS, OURS.replace('123456', '987654'))).toBe(false);
    expect(containsText('🎉', 'Hello')).toBe(false);
  });
});
