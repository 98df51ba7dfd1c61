import { expect, test } from 'vitest';
import { errorPageOf, explainError } from './explain-error.ts';

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
])('the error code %s has an explanation and advice', (code) => {
  expect(explainError(code).what).not.toBe(explainError('99999').what);
  expect(explainError(code).todo).not.toBe('');
});

test('only an error code of Twilio links to a page of Twilio’s documentation', () => {
  expect(errorPageOf('30007')).toBe('https://www.twilio.com/docs/api/errors/30007');
  expect(errorPageOf('outcome_unknown')).toBeNull();
});
