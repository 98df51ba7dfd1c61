import { MigrationError, createSchemaCheck } from '@switchboard/database';
import { StartRefusedError } from '@switchboard/runtime';
import type { Infrastructure } from '../infrastructure.ts';
import { findFailingParts } from './health-routes.ts';
import { createReadinessProbe } from './probe-readiness.ts';

/** Creates the checks of readiness. The process reports that it is not ready once it shuts down. */
export function createHealth({
  database,
  reportError,
}: Pick<Infrastructure, 'database' | 'reportError'>) {
  let shuttingDown = false;
  // Only what a request cannot do without. The queue and the bus may be unavailable: workers find messages in the
  // rows. If they counted, a proxy would take all APIs out of service for as long as Redis is unavailable.
  const checks = { database: () => database.ping(), schema: createSchemaCheck(database) };
  const probe = createReadinessProbe(async () => (await findFailingParts(checks)).length === 0);

  return {
    checks,
    isShuttingDown: () => shuttingDown,
    isReady: async () => !shuttingDown && (await probe()),
    /** Makes readiness fail from now on, so that load balancers send no further requests. */
    reportNotReady() {
      shuttingDown = true;
    },
    /**
     * Checks the schema if the database answers. An unavailable database may become available
     * later.
     *
     * @throws StartRefusedError when the schema is older than this version
     */
    async assertSchema() {
      try {
        await checks.schema();
      } catch (error) {
        if (error instanceof MigrationError) throw new StartRefusedError(error.message);
        reportError('schema')(error);
      }
    },
  };
}
