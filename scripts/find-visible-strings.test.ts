import { expect, test } from 'vitest';
import { parseSync } from 'vite';
import { findVisibleStrings } from './find-visible-strings.mjs';

const VIEW = 'apps/dashboard/src/settings/view.tsx';
const find = (code: string, file = VIEW) =>
  findVisibleStrings(file, code, parseSync(file, code).program);

test.each([
  ['text in an element', '<p>Hello</p>', 'Hello'],
  ['text beside an element', '<p>Signed in as <b>{email}</b></p>', 'Signed in as'],
  ['a string in braces', `<p>{'none'}</p>`, 'none'],
  ['a conditional expression', `<p>{isOpen ? 'open' : null}</p>`, 'open'],
  ['a conditional expression in parentheses', `<p>{isOpen ? ('open') : null}</p>`, 'open'],
  ['a logical expression', `<p>{isOpen && 'open'}</p>`, 'open'],
  ['a template', '<p>{`added ${day}`}</p>', 'added {}'],
  ['a label', '<Field label="name" />', 'name'],
  ['a label for screen readers', `<a aria-label={isOpen ? 'close' : name} />`, 'close'],
  ['a placeholder', '<input placeholder="city" />', 'city'],
  ['an attribute of a component with a word', '<ListCard empty="Nothing" />', 'Nothing'],
  ['a page title', `useTitle('Messages');`, 'Messages'],
  ['a notification', `new Notification('Notifications are on');`, 'Notifications are on'],
  ['a table of labels', `const LABELS = { all: 'All' };`, 'All'],
  ['a returned sentence', `const f = () => 'nothing delivered yet';`, 'nothing delivered yet'],
  ['a returned template', 'const f = (n) => `${n} messages`;', '{} messages'],
  ['a progress label', `const label = isPending ? 'saving…' : name;`, 'saving…'],
])('%s is reported, because it belongs in the catalog: %s', (_, code, text) => {
  expect(find(`\n${code}`)).toEqual([
    `line 2 has the text “${text}”, which belongs in apps/dashboard/src/strings/en`,
  ]);
});

test.each([
  ['an entry of the catalog', '<p>{strings.hello}</p>'],
  ['an import', `import { a } from './Some folder/a.ts';`],
  ['a type', `type Name = 'First name';`],
  ['CSS classes', `const ROW = 'flex min-h-12 flex-col px-3';`],
  ['CSS classes in a conditional expression', "<p className={isOpen ? 'flex grow' : 'hidden'} />"],
  ['CSS classes with an expression', '<p className={`grid ${isWide ? "Wide" : ""}`} />'],
  ['a route', "api.request('GET /api/ui/me'); api.request(`PATCH ${ONE}`);"],
  ['a compared key', `if (event.key === 'Escape') close();`],
  ['a case of a switch', `switch (key) { case 'Enter': open(); }`],
  ['a property’s name', `const o = { 'First name': 1 }; o['First name'];`],
  ['a selector', `document.querySelector('Dialog [data-find] a');`],
  ['an error for developers', `throw new Error('useApi requires a provider above.');`],
  ['punctuation', '<p>{count} · {size} / 100 %</p>'],
  ['a value', `<button type="submit" kind="primary" />`],
])('%s is not reported: %s', (_, code) => {
  expect(find(code)).toEqual([]);
});

test.each([
  'apps/dashboard/src/strings/en/session.tsx',
  'apps/dashboard/src/settings/describe-user-agent.ts',
  'apps/api/src/queue-page/page.ts',
])('texts in %s are not reported', (file) => {
  expect(find(`export const title = 'Sign in';`, file)).toEqual([]);
});
