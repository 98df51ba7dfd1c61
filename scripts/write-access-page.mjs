// npm run access:page: writes docs/access.md from the tables of roles and scopes and the definitions of the routes.
// scripts/access-page.test.ts fails if the page differs from the output of this script.
import { writeFileSync } from 'node:fs';
import { listEndpoints } from '@switchboard/contracts';
import { KEY_SCOPES, PERMISSIONS, ROLES } from '@switchboard/core';
import { renderAccessPage } from './render-access-page.mjs';

const page = renderAccessPage({
  roles: ROLES,
  permissions: PERMISSIONS,
  scopes: KEY_SCOPES,
  endpoints: listEndpoints(),
});
writeFileSync(new URL('../docs/access.md', import.meta.url), page);
