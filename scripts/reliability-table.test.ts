import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const page = readFileSync(path.join(ROOT, 'docs/reliability.md'), 'utf8');
const table = /^## Fault by fault$(.+?)^The long form/ms.exec(page)?.[1] ?? '';

const testFiles = execFileSync('git', ['ls-files', '*.test.ts', '*.suite.ts'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n');

const rows = table.split('\n').filter((line) => line.startsWith('| '));
/** The titles in the table, each with the name of the file before it. */
const titles = rows.flatMap((line) => {
  let file = '';
  return [...line.matchAll(/`([^`]+)`|"([^"]+)"/g)].flatMap(([, name, title]) => {
    file = name ?? file;
    return title === undefined ? [] : [{ file, title }];
  });
});

test('the table of faults in the documentation quotes test titles', () => {
  expect(titles.length).toBeGreaterThan(20);
});

test.each(titles)('the test “$title” of the table of faults is in $file', ({ file, title }) => {
  const named = testFiles.filter((found) =>
    path.basename(found).startsWith(`${file.replace(/\.test\.ts$/, '')}.`),
  );
  expect(named).not.toEqual([]);
  const texts = named.map((found) => readFileSync(path.join(ROOT, found), 'utf8'));
  expect(texts.some((text) => text.includes(title))).toBe(true);
});
