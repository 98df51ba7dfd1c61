import { expect, test } from 'vitest';
import { defineRows, defineStatement } from './named-statement.ts';

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
])(
  'a statement whose text %s is refused when its module is loaded',
  (_what, text, values, name) => {
    const rows = { unnest: '', names: [], valuesOf: () => ({}) };
    expect(() => defineStatement({ name: 's', text }, { rows, values })).toThrow(
      `parameters of s: ${name}`,
    );
  },
);
