import { expect, test } from 'vitest';
import { createParameters, defineQuery, defineRows, defineStatement } from './named-statement.ts';

interface Item {
  id: number;
  from: string | null;
}

const ITEMS = defineRows<Item>('i', {
  id: ['int', (item) => item.id],
  from: ['text', (item) => item.from],
});

test('a statement gets its values by the names of its parameters, wherever the text uses them', () => {
  const statement = defineStatement(
    { name: 's', text: `SELECT :limit::int, i."from" FROM ${ITEMS.unnest} LIMIT :limit` },
    { rows: ITEMS, values: ['limit'] as const },
  );
  expect(statement.text).toBe(
    'SELECT $1::int, i."from" FROM unnest($2::int[], $3::text[]) AS i("id", "from") LIMIT $1',
  );
  const items = [
    { id: 1, from: 'a' },
    { id: 2, from: null },
  ];
  expect(statement.toValues(items, { limit: 5 })).toEqual([5, '{1,2}', '{"a",NULL}']);
});

test.each([
  ['misses a parameter', 'SELECT 1', ['limit'], 'limit'],
  ['has an unknown parameter', 'SELECT :limit::int, :other::int', ['limit'], 'other'],
])('a statement whose text %s is refused when its module is loaded', (_what, text, names, name) => {
  expect(() => defineQuery({ name: 's', text }, names)).toThrow(`parameters of s: ${name}`);
});

test("a statement that is composed when it runs has its parts' names, and only the values that its text uses", () => {
  const { bind, toQuery } = createParameters({ workspaceId: 'w', after: 'a' });
  const numbers = bind(['1', '2']);
  bind('of another part');
  expect(toQuery(`WHERE number = ANY(${numbers}) AND workspace_id = :workspaceId::uuid`)).toEqual([
    'WHERE number = ANY($1) AND workspace_id = $2::uuid',
    [['1', '2'], 'w'],
  ]);
  expect(() => toQuery('WHERE id = :other')).toThrow('parameters without a value: other');
});
