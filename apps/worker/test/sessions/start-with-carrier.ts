import { createWorkspaceFixture } from '@switchboard/testing';
import { startEnvironment } from '../start-environment.ts';
import { type CarrierOptions, startCarrier } from './start-carrier.ts';
import { addSmppAccount } from './start-session-environment.ts';
import { SENDER } from './start-smpp-workers.ts';

/** Starts a worker whose workspace has an account at a carrier that we did not write. */
export async function startWithCarrier(
  options: CarrierOptions & {
    settings?: Record<string, string>;
    credentials?: { window?: number };
  } = {},
) {
  const environment = await startEnvironment({
    hintGraceMs: 300,
    settings: { PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8', ...options.settings },
  });
  const { database, databaseUrl } = environment;
  const carrier = await startCarrier(options);
  const { workspaceId } = await createWorkspaceFixture(databaseUrl, {
    provider: false,
    from: SENDER,
  });
  const providerId = await addSmppAccount(database, workspaceId, {
    host: '127.0.0.1',
    port: carrier.port,
    tls: false,
    system_id: 'switchboard',
    password: 'secret',
    ...options.credentials,
  });
  const worker = await environment.startWorker();

  async function listReceived(): Promise<string[]> {
    const { rows } = await database.pool.query<{ body: string }>(
      `SELECT body FROM messages WHERE workspace_id = $1 AND direction = 'inbound'`,
      [workspaceId],
    );
    return rows.map(({ body }) => body);
  }

  async function countByStatus(): Promise<Record<string, number>> {
    const { rows } = await database.pool.query<{ status: string; n: number }>(
      `SELECT status, count(*)::int AS n FROM messages
       WHERE workspace_id = $1 AND direction = 'outbound' GROUP BY status`,
      [workspaceId],
    );
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  }

  return { ...environment, carrier, workspaceId, providerId, worker, listReceived, countByStatus };
}
