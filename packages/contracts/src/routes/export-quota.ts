import { QUOTAS, quotaExceeded } from '@switchboard/core';

/** The error of every route that responds with a table. */
export const exportQuota = quotaExceeded(
  QUOTAS.exportsPerWorkspace,
  'concurrent exports per workspace',
).message;
