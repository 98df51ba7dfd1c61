import { expect, test } from 'vitest';

import { api, toNumbersUrl } from './api.ts';

test.each([
  [null, null],
  [api.origin, null],
  ['https://api-us-1.nexmo.com', null],
  ['https://api-eu-3.vonage.com', null],
  ['https://vonage.com.example.com', 'https://vonage.com.example.com'],
  ['http://127.0.0.1:3001', 'http://127.0.0.1:3001'],
  ['https://nexmo.example.com', 'https://nexmo.example.com'],
])('with the API of messages at %s, the API of numbers is replaced by %s', (apiUrl, numbers) => {
  expect(toNumbersUrl(apiUrl)).toBe(numbers);
});
