import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listEndpoints } from '../packages/contracts/src/index.ts';
import { KEY_SCOPES, PERMISSIONS, ROLES } from '../packages/core/src/index.ts';
import { renderAccessPage } from './render-access-page.mjs';

test('docs/access.md equals the output of npm run access:page', () => {
  const page = readFileSync(new URL('../docs/access.md', import.meta.url), 'utf8');
  const tables = { roles: ROLES, permissions: PERMISSIONS, scopes: KEY_SCOPES };
  expect(page).toBe(renderAccessPage({ ...tables, endpoints: listEndpoints() }));
});
