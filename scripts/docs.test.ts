import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const FOLDERS = ['.', 'docs', 'docs/decisions'];
const PAGES = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name)),
);

const readPage = (page: string) =>
  readFileSync(path.join(ROOT, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');

/** Returns the targets of a page's links to files of the repository. */
function listLinks(page: string): string[] {
  return [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** Returns the files and folders of the repository that a page names as code. A build creates `dist`. */
function listNamedPaths(page: string): string[] {
  return [
    ...readPage(page).matchAll(/`((?:apps|packages|ops|scripts|prisma|docs)\/[\w./@-]*\w)\/?`/g),
  ]
    .map(([, named = '']) => named)
    .filter((named) => !named.includes('/dist'));
}

const exists = (file: string): boolean =>
  statSync(path.join(ROOT, file), { throwIfNoEntry: false }) !== undefined;

/** Returns the anchors that GitHub gives the headings of a page. */
function listAnchors(page: string): string[] {
  return [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('docs/README.md links to every page of docs', () => {
  const links = listLinks('docs/README.md');
  const pages = PAGES.filter((page) => path.dirname(page) === 'docs').map((page) =>
    path.basename(page),
  );
  expect(pages.filter((page) => page !== 'README.md' && !links.includes(page))).toEqual([]);
});

test.each(PAGES)('every link of %s leads to a file or a heading that exists', (page) => {
  const broken = listLinks(page).filter((target) => {
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? page : path.join(path.dirname(page), file);
    if (!exists(linked)) return true;
    return anchor !== undefined && linked.endsWith('.md') && !listAnchors(linked).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test.each(PAGES)('every file and folder that %s names exists', (page) => {
  expect(listNamedPaths(page).filter((named) => !exists(named))).toEqual([]);
});
