import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { QUOTAS } from '../packages/core/src/quotas.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const page = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8');

interface Row {
  rule: string;
  code: string[];
  tests: { file: string; title: string | null }[];
}

const rows: Row[] = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| rule |'))
  .map((line) => {
    const [rule = '', code = '', held = ''] = line.split('|').slice(1, -1);
    let file = '';
    const tests = held.split('; ').map((part) => {
      file = /`([^`]+)`/.exec(part)?.[1] ?? file;
      return { file, title: /“(.+)”/.exec(part)?.[1] ?? null };
    });
    return { rule, code: [...code.matchAll(/`([^`]+)`/g)].map(([, each = '']) => each), tests };
  });

test('every row of the security table names its code and its test', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter(({ code, tests }) => code.length === 0 || tests[0]?.file === '')).toEqual([]);
});

test.each(rows)('the code files of the security rule “$rule” exist', ({ code }) => {
  for (const file of code)
    expect(statSync(path.join(ROOT, file), { throwIfNoEntry: false })).toBeDefined();
});

test.each(rows)('the tests of the security rule “$rule” exist', ({ tests }) => {
  for (const { file, title } of tests) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    if (title !== null) expect(text).toContain(title);
    expect(text).toMatch(/\b(test|it)(\.each)?\(/);
  }
});

test('the table of quotas in the documentation has exactly the numbers of the code', () => {
  const section = /^## Quotas$(.+?)^## /ms.exec(page)?.[1] ?? '';
  const numbers = [...section.matchAll(/`(\d{1,3}(?:,\d{3})*)`/g)].map(([, text = '']) =>
    Number(text.replaceAll(',', '')),
  );
  const upwards = (a: number, b: number) => a - b;
  expect(numbers.toSorted(upwards)).toEqual(Object.values(QUOTAS).toSorted(upwards));
});
