import { type Server, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createPgClient, createPgPool } from '@switchboard/postgres';
import {
  EVENTUALLY,
  type PostgresReplica,
  type PostgresServer,
  startPgBouncer,
  startPostgres,
  startReplica,
} from '@switchboard/testing';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** The timeout of connections that succeed, even on a busy machine. */
const TIMEOUT_MS = 60_000;
/** How long a connection tries a host that never responds; the others respond earlier, even on a busy machine. */
const SILENT_MS = 20_000;

let primary: PostgresServer;
let standby: PostgresReplica;
/** Accepts connections and never responds, like a stopped server. */
let silent: Server;

beforeAll(async () => {
  primary = await startPostgres({ migrate: async () => undefined });
  standby = await startReplica(primary);
  silent = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await new Promise((resolve) => silent?.close(resolve));
  await standby?.close();
  await primary?.close();
});

const hostOf = ({ url }: { url: string }) => new URL(url).host;
const silentHost = () => `127.0.0.1:${(silent.address() as AddressInfo).port}`;

function urlOf(hosts: readonly string[], session: string): string {
  const { username, password, pathname } = new URL(primary.url);
  const login = `${username}:${password}`;
  return `postgresql://${login}@${hosts.join(',')}${pathname}?target_session_attrs=${session}`;
}

async function isStandby(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is');
  return rows[0]?.is ?? false;
}

async function portOf(client: Pick<pg.Client, 'query'>): Promise<number | undefined> {
  const { rows } = await client.query<{ port: number }>('SELECT inet_server_port() AS port');
  return rows[0]?.port;
}

async function hasTable(url: string, name: string): Promise<boolean> {
  const client = createPgClient(url, { connectionTimeoutMillis: TIMEOUT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ has: boolean }>(
      'SELECT to_regclass($1) IS NOT NULL AS has',
      [name],
    );
    return rows[0]?.has ?? false;
  } finally {
    await client.end();
  }
}

async function reachesStandby(url: string, timeoutMs = TIMEOUT_MS): Promise<boolean> {
  const client = createPgClient(url, { connectionTimeoutMillis: timeoutMs });
  try {
    await client.connect();
    return await isStandby(client);
  } finally {
    await client.end();
  }
}

describe('a URL with several hosts', () => {
  test('a URL with several hosts connects to the primary, regardless of its position in the list', async () => {
    const hosts = [hostOf(standby), hostOf(primary)];
    expect(await reachesStandby(urlOf(hosts, 'read-write'))).toBe(false);
    expect(await reachesStandby(urlOf(hosts.toReversed(), 'primary'))).toBe(false);
  });

  test('a URL with several hosts connects to a standby if the URL requires one', async () => {
    expect(await reachesStandby(urlOf([hostOf(primary), hostOf(standby)], 'standby'))).toBe(true);
  });

  test('a URL with several hosts connects to the primary although another host accepts connections and never responds', async () => {
    const url = urlOf([silentHost(), '127.0.0.1:1', hostOf(primary)], 'read-write');
    const startedAt = performance.now();
    expect(await reachesStandby(url)).toBe(false);
    // The search for the primary may take half of the timeout.
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS / 2);
  });

  test('a URL with several hosts connects to the PgBouncer of the primary', async () => {
    const bouncers = [
      await startPgBouncer({ databaseUrl: standby.url }),
      await startPgBouncer({ databaseUrl: primary.url }),
    ];
    try {
      const url = urlOf(bouncers.map(hostOf), 'read-write');
      expect(await reachesStandby(`${url}&pgbouncer=true`)).toBe(false);
    } finally {
      for (const bouncer of bouncers) await bouncer.close();
    }
    // On a machine without PgBouncer, this test downloads it.
  });

  test('a connection to a URL with several hosts fails without a primary, and the error contains the reason for every host', async () => {
    const url = urlOf([hostOf(standby), '127.0.0.1:1', silentHost()], 'read-write');
    await expect(reachesStandby(url, SILENT_MS)).rejects.toThrow(
      /^no host is the primary \(.*: the server is a standby; .*ECONNREFUSED.*; .*timeout/,
    );
  });

  test('a URL with several hosts still requires its role when only one host is left in it', async () => {
    await expect(reachesStandby(urlOf([hostOf(standby)], 'read-write'))).rejects.toThrow(
      /is a standby/,
    );
  });

  test('a pool closes a connection to an old primary that keeps running after another host was promoted', async () => {
    const promoted = await startReplica(primary);
    const client = createPgClient(urlOf([hostOf(primary), hostOf(promoted)], 'read-write'), {
      connectionTimeoutMillis: TIMEOUT_MS,
    });
    const lost = new Promise<string>((resolve) => {
      client.on('error', ({ message }) => resolve(message));
    });
    try {
      await client.connect();
      expect(await portOf(client)).toBe(Number(new URL(primary.url).port));
      await promoted.promote();
      expect(await lost).toBe(`the primary is ${hostOf(promoted)} now`);
    } finally {
      await client.end();
      await promoted.close();
    }
  });

  test('a pool continues on a promoted standby without a restart', async () => {
    const pool = createPgPool(urlOf([hostOf(primary), hostOf(standby)], 'read-write'), {
      max: 2,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    pool.on('error', () => undefined);
    try {
      await pool.query('CREATE TABLE proof (id int)');
      // A crash loses what the standby has not received.
      await expect.poll(() => hasTable(standby.url, 'proof'), EVENTUALLY).toBe(true);
      await primary.kill();
      await standby.promote();
      await expect
        .poll(
          () => pool.query('INSERT INTO proof VALUES (1)').then(() => 'stored', String),
          EVENTUALLY,
        )
        .toBe('stored');
      expect(await portOf(pool)).toBe(Number(new URL(standby.url).port));
    } finally {
      await pool.end();
    }
  });
});
