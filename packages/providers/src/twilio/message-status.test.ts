import { expect, test } from 'vitest';

import { toMessageStatus } from './message-status.ts';

test.each([
  ['accepted', 'queued'],
  ['queued', 'queued'],
  ['scheduled', 'scheduled'],
  ['sending', 'sending'],
  ['sent', 'sent'],
  ['partially_delivered', 'sent'],
  ['delivered', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
  ['read', 'read'],
  ['receiving', 'received'],
  ['received', 'received'],
  ['teleported', null],
  ['constructor', null],
  ['', null],
])("Twilio's status %j is mapped to our status %j", (rawStatus, status) => {
  expect(toMessageStatus(rawStatus)).toBe(status);
});
