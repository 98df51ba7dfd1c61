import { createWorkspaceFixture } from '@switchboard/testing';
import { LONG_TIMEOUTS, startEnvironment } from '../start-environment.ts';
import { addSmppAccount, createSmppAccount } from './start-session-environment.ts';

export const SENDER = '+14155550177';
export const RECIPIENT = '+14155550100';

/** Long enough that no test reaches a timeout on a busy machine. */
const SETTINGS = {
  PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8',
  ...LONG_TIMEOUTS,
};

/** Starts workers, and creates a workspace whose first account is at the simulated SMSC. */
export async function startSmppWorkers(options: {
  workers: number;
  maxBinds?: number;
  redisUrl?: string;
  settings?: Record<string, string>;
}) {
  const { redisUrl, maxBinds = 1 } = options;
  const environment = await startEnvironment({
    hintGraceMs: 300,
    settings: { ...SETTINGS, ...options.settings },
    ...(redisUrl !== undefined && { redisUrl }),
  });
  const { database, databaseUrl, simulator } = environment;
  const fixture = await createWorkspaceFixture(databaseUrl, { provider: false, from: SENDER });
  const { workspaceId } = fixture;
  const credentials = await createSmppAccount(simulator.url, {
    maxBinds,
    credentials: { max_binds: maxBinds },
  });
  const providerId = await addSmppAccount(database, workspaceId, credentials);
  const workers = [];
  for (let count = 0; count < options.workers; count += 1) {
    workers.push(await environment.startWorker());
  }

  /** Gives the simulated account a number, and sends a message from a phone to it. */
  async function receive(body: string, from = RECIPIENT): Promise<{ status: number | null }> {
    const response = await fetch(`${simulator.url}/simulator/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ to: SENDER, from, body }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { status: number | null };
  }

  async function listReceived(): Promise<string[]> {
    const { rows } = await database.pool.query<{ body: string }>(
      `SELECT body FROM messages WHERE workspace_id = $1 AND direction = 'inbound' ORDER BY id`,
      [workspaceId],
    );
    return rows.map(({ body }) => body);
  }

  return {
    ...environment,
    fixture,
    workspaceId,
    providerId,
    credentials,
    workers,
    receive,
    listReceived,
  };
}
