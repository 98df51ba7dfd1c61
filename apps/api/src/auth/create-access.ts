import { QUOTAS } from '@switchboard/core';
import type { ApiConfig } from '../config.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Stores } from '../stores.ts';
import { createApiKeyCheck } from './check-api-key.ts';
import { createRequireSession } from './check-session.ts';
import { createAuthentication } from './create-authentication.ts';

const MINUTE_SECONDS = 60;

/** Creates the credential checks, with the rate limits that count their requests. */
export function createAccess(config: ApiConfig, infrastructure: Infrastructure, stores: Stores) {
  const { limits, clock, reportError } = infrastructure;
  const { apiKeys, sessions, workspaces } = stores;
  const workspaceLimit = {
    name: 'workspace',
    requests: config.RATE_LIMIT_WORKSPACE,
    scope: 'from the whole workspace',
  };
  const keyLimit = limits.createLimit({
    name: 'messaging',
    requests: config.RATE_LIMIT_MESSAGING,
    windowSeconds: MINUTE_SECONDS,
    group: workspaceLimit,
  });
  const keys = createApiKeyCheck({
    apiKeys,
    recordUseLater: (use) => {
      apiKeys.recordUse(use).catch(reportError('database'));
    },
    limit: keyLimit,
    clock,
  });
  const requireSession = createRequireSession({
    sessions,
    limit: limits.createLimit({
      name: 'ui',
      requests: config.RATE_LIMIT_UI,
      windowSeconds: MINUTE_SECONDS,
    }),
  });
  return createAuthentication({
    keys,
    requireSession,
    workspaces,
    keyLimit,
    workspaceLimit: limits.createLimit({ ...workspaceLimit, windowSeconds: MINUTE_SECONDS }),
    providerCallLimit: limits.createLimit({
      name: 'provider_calls',
      requests: QUOTAS.providerCallsPerWorkspace,
      scope: 'that call providers',
      windowSeconds: MINUTE_SECONDS,
      group: {
        name: 'provider_calls_user',
        requests: QUOTAS.providerCallsPerUser,
        scope: 'that call providers from this user',
      },
    }),
  });
}
