import { KEY_SCOPES } from '@switchboard/core';
import { expect, test } from 'vitest';
import { createApiKeyRequest } from './api-key.ts';
import { listEndpoints } from './routes/all-routes.ts';

test('the description of the scopes names each one that no route needs, and no other', () => {
  const needed = new Set<unknown>(listEndpoints().map(({ route }) => route.scope));
  const { description = '' } = createApiKeyRequest.shape.scopes;
  const named = Object.keys(KEY_SCOPES).filter((scope) => description.includes(`\`${scope}\``));
  expect(named).toEqual(Object.keys(KEY_SCOPES).filter((scope) => !needed.has(scope)));
});
