import { expect, test } from 'vitest';
import type { ProviderEvidence } from '../ports/message-look-up.ts';
import { defaultOnUnknown } from './default-on-unknown.ts';

const NONE: ProviderEvidence = {
  idempotencyKey: false,
  referenceInCallback: false,
  lookUp: 'none',
};

test('an unresolved message fails by default if its provider offers no evidence of a send', () => {
  expect(defaultOnUnknown(NONE)).toBe('fail');
});

test.each([
  { ...NONE, idempotencyKey: true },
  { ...NONE, referenceInCallback: true },
  { ...NONE, lookUp: 'by_content' as const },
  { ...NONE, lookUp: 'by_reference' as const },
])('an unresolved message is sent again by default if its provider offers %o', (evidence) => {
  expect(defaultOnUnknown(evidence)).toBe('resend');
});
