import { expect, test } from 'vitest';
import { isSimulatedCarrier } from './is-simulated-carrier.ts';

test.each([
  'http://127.0.0.1:3001',
  'http://localhost:3001',
  'http://[::1]:3001',
  'http://127.1:1',
])('a provider API at %s is a simulator on this machine', (url) =>
  expect(isSimulatedCarrier(url)).toBe(true),
);

test.each(['https://api.twilio.com', 'https://127.0.0.1.example.com', 'http://10.0.0.7:3001'])(
  'a provider API at %s is not a simulator on this machine',
  (url) => expect(isSimulatedCarrier(url)).toBe(false),
);
