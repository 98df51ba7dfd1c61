import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (...parts: string[]) => readFileSync(path.join(ROOT, ...parts), 'utf8');
const { version } = JSON.parse(read('package.json')) as Manifest;

test('every workspace has the version of the root package.json and depends on the others with it', () => {
  for (const group of ['apps', 'packages']) {
    for (const name of readdirSync(path.join(ROOT, group))) {
      const manifest = JSON.parse(read(group, name, 'package.json')) as Manifest;
      expect([name, manifest.version]).toEqual([name, version]);
      const dependencies = { ...manifest.dependencies, ...manifest.devDependencies };
      for (const [dependency, range] of Object.entries(dependencies)) {
        if (dependency.startsWith('@switchboard/')) {
          expect([name, dependency, range]).toEqual([name, dependency, version]);
        }
      }
    }
  }
});

test('the changelog has a section for unreleased changes above the released versions', () => {
  const [first, ...released] = [...read('CHANGELOG.md').matchAll(/^## \[(.+?)\](.*)$/gm)];
  expect(first?.[1]).toBe('Unreleased');
  for (const [, name, date] of released) {
    expect(name).toMatch(/^\d+\.\d+\.\d+$/);
    expect(date).toMatch(/^ - \d{4}-\d{2}-\d{2}$/);
  }
  // Between releases, the version in package.json is the next one or the latest one.
  if (released.some(([, name]) => name === version)) expect(released[0]?.[1]).toBe(version);
});
