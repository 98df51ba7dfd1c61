import { expect, test } from 'vitest';
import { chooseIndexes } from './choose-indexes.ts';

const REFERENCE = { reference: 'campaign' };

test.each([
  ['a reference alone', REFERENCE, [['reference']]],
  ['a reference to a number', { ...REFERENCE, to: ['+14155550123'] }, [['counterpart']]],
  [
    'a reference of received messages',
    { ...REFERENCE, to: ['+14155550123'], direction: 'inbound' as const },
    [['reference']],
  ],
  [
    'a reference with an error code',
    { ...REFERENCE, errorCode: ['30007'] },
    [['errorCode'], ['errorCode']],
  ],
])('%s is found by the index of the fewest messages', (_, filter, indexes) => {
  expect(chooseIndexes(filter).map(({ indexed }) => indexed)).toEqual(indexes);
});
