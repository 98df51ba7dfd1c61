import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClusterTemplate } from './postgres/cluster-template.ts';
import { createDatabaseServer, type DatabaseServer } from './postgres/database-server.ts';
import type { TemporaryCluster } from './postgres/temporary-clusters.ts';
import { findPgBouncer, findRedisServer } from './programs/find-program.ts';

export interface TestServices {
  port: number;
  close(): Promise<void>;
}

/**
 * Servers that all test files of a run share. They run in vitest's main process, and test files
 * request them over HTTP. A server starts on the first request, so a run of pure tests starts none.
 */
export async function createTestServices(): Promise<TestServices> {
  let databases: Promise<DatabaseServer> | undefined;
  let clusterTemplate: Promise<TemporaryCluster> | undefined;
  let redisServer: Promise<string> | undefined;
  let pgBouncer: Promise<string> | undefined;

  async function answer(request: IncomingMessage): Promise<unknown> {
    const url = new URL(request.url ?? '/', 'http://services');
    switch (`${request.method} ${url.pathname}`) {
      case 'POST /databases':
        databases ??= createDatabaseServer();
        return { url: await (await databases).create(url.searchParams.has('empty')) };
      case 'DELETE /databases':
        return (await databases)?.drop(url.searchParams.get('name') ?? '');
      case 'POST /cluster-template':
        clusterTemplate ??= createClusterTemplate();
        return { dataDir: (await clusterTemplate).dataDir };
      case 'POST /redis-server':
        redisServer ??= findRedisServer();
        return { path: await redisServer };
      case 'POST /pgbouncer':
        pgBouncer ??= findPgBouncer();
        return { path: await pgBouncer };
      default:
        throw new Error(`The test services have no route ${request.method} ${url.pathname}.`);
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = JSON.stringify((await answer(request)) ?? {});
      response.writeHead(200, { connection: 'close' }).end(body);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      response.writeHead(500, { connection: 'close' }).end(text);
    }
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      // The test that made the request already reported its failure.
      await (await clusterTemplate?.catch(() => undefined))?.remove();
      await (await databases?.catch(() => undefined))?.close();
    },
  };
}
