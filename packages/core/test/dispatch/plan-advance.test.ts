import { expect, test } from 'vitest';
import { planAdvance } from '../../src/dispatch/plan-advance.ts';
import { message, policy } from './samples.ts';

const account = { id: 'a1', workspaceId: 'w1', sealedSecret: 's' };
const planOf = (fields: Parameters<typeof message>[0]) =>
  planAdvance(
    account,
    { ...message({ status: 'undelivered', ...fields }), messageId: 'm1' },
    policy,
  );

test('a report with an error, by its code or in words alone, is decided with the message', () => {
  expect(planOf({})).toMatchObject({ status: 'undelivered' });
  expect(planOf({ errorCode: '30003' })).toBeNull();
  expect(planOf({ errorDetail: 'Blocked' })).toBeNull();
});
