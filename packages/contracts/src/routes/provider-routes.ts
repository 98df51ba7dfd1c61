import { provider, putProviderRequest, verifyProviderResponse } from '../provider.ts';
import { defineRoute } from './define-route.ts';
import { ok } from './ok.ts';
import { strictCredentials } from './strict-credentials.ts';
import { forSessions } from './workspace-paths.ts';

const tag = 'Provider';
const paths = forSessions('/provider');
const noProvider = 'The workspace has no messaging provider configured';

export const providerRoutes = {
  getProvider: defineRoute({
    method: 'GET',
    paths,
    tag,
    summary: 'Get the configuration of the default provider',
    response: { status: 200, schema: provider },
    errors: { not_found: noProvider },
  }),

  putProvider: defineRoute({
    method: 'PUT',
    testMode: 'refused',
    paths,
    tag,
    summary: 'Set the configuration of the default provider',
    description:
      'Soon after the response, the service configures inbound messages at the provider for the numbers ' +
      'that the account owns: see `inbound_wired`.',
    permission: 'manage',
    headers: strictCredentials,
    body: putProviderRequest,
    rateLimit: 'provider_calls',
    response: { status: 200, schema: provider, headers: ['Preference-Applied'] },
    errors: { already_exists: 'Another provider of the workspace already uses this account' },
  }),

  removeProvider: defineRoute({
    method: 'DELETE',
    testMode: 'refused',
    paths,
    tag,
    summary: 'Remove the configuration of the default provider',
    permission: 'manage',
    response: { status: 200, schema: ok },
    errors: {
      not_found: noProvider,
      invalid_state: 'Numbers or routing rules use the provider: change them first',
    },
  }),

  verifyProvider: defineRoute({
    method: 'POST',
    paths: forSessions('/provider/verify'),
    testMode: 'refused',
    tag,
    summary: 'Verify the credentials with the provider',
    description:
      'If the provider accepts them, the service configures inbound messages again for numbers without ' +
      'inbound configuration, soon after the response.',
    rateLimit: 'provider_calls',
    response: { status: 200, schema: verifyProviderResponse },
    errors: { provider_not_configured: noProvider },
  }),
};
