import type { MessageEvent } from '@switchboard/contracts';
import { expect, test } from 'vitest';
import { describeEvent } from './describe-event.ts';

const started: MessageEvent = {
  id: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36',
  type: 'attempt_started',
  status: 'queued',
  at: '2026-11-23T12:00:00.000Z',
  detail: null,
};

test.each([
  ['Attempt 1 with twilio', 'Attempt 1 with Twilio'],
  ['Attempt 2 with smpp', 'Attempt 2 with SMPP'],
  ['Attempt 12 with Account of the shop', 'Attempt 12 with Account of the shop'],
  ['Attempt 1', 'Attempt 1'],
  [null, null],
])('the detail %j of an attempt is shown as %j', (detail, shown) => {
  expect(describeEvent({ ...started, detail }).detail).toBe(shown);
});
