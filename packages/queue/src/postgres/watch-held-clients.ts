import pg from 'pg';

/** How often the held connections are checked. */
const HEARTBEAT_MS = 10_000;

/**
 * Checks the connections that are held for a long time, because BullMQ waits for notifications on one: a
 * connection whose packets are dropped looks idle for hours, and each job then waits for the next poll. A
 * connection that does not respond within its query timeout is closed, and BullMQ listens on a new one.
 * Returns a function that stops the checks.
 */
export function watchHeldClients(pool: pg.Pool, heartbeatMs = HEARTBEAT_MS): () => void {
  const heldSince = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => void heldSince.set(client, performance.now()));
  pool.on('release', (_error, client) => void heldSince.delete(client));

  const timer = setInterval(() => {
    const before = performance.now() - heartbeatMs;
    for (const [client, since] of heldSince) if (since <= before) void check(client);
  }, heartbeatMs).unref();
  return () => clearInterval(timer);
}

async function check(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('SELECT 1');
  } catch (cause) {
    // The server responded: a transaction of the holder had failed.
    if (cause instanceof pg.DatabaseError) return;
    client.connection.stream.destroy(new Error('the connection stopped responding', { cause }));
  }
}
