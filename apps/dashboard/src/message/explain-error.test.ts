import { expect, test } from 'vitest';
import { errorPageOf, explainError, readProviderText } from './explain-error.ts';

test.each([
  '21659',
  '21660',
  '21703',
  '30007',
  '30022',
  '30023',
  '30032',
  'outcome_unknown',
  'recipient_opted_out',
  'media_not_supported',
  'no_sender',
  'text_not_in_charset',
])('the error code %s has an explanation and advice', (code) => {
  expect(explainError(code).what).not.toBe(explainError('99999').what);
  expect(explainError(code).todo).not.toBe('');
});

test('an error without a code is explained without calling it unknown', () => {
  expect(explainError(null).what).toBe('The provider reported an error without a code.');
});

test('only an error code of Twilio links to a page of Twilio’s documentation', () => {
  expect(errorPageOf('30007')).toBe('https://www.twilio.com/docs/api/errors/30007');
  expect(errorPageOf('outcome_unknown')).toBeNull();
});

test.each(['Unknown error', 'unknown error.', 'An unknown error', 'Unspecified failure'])(
  'the text “%s” of a provider is not shown below our explanation',
  (text) => {
    expect(readProviderText(text)).toBeNull();
  },
);

test.each(['Unknown destination handset', 'Landline or unreachable carrier'])(
  'the text “%s” of a provider is shown, because it says what is wrong',
  (text) => {
    expect(readProviderText(text)).toBe(text);
  },
);
