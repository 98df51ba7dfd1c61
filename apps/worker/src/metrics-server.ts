import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, OPERATOR_CONNECTIONS, limitConnections } from '@switchboard/runtime';
import type { WorkerMetrics } from './worker-metrics.ts';

export interface MetricsServer {
  url: string;
  close(): Promise<void>;
}

const HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

/** Answers /metrics, /health/live and /health/ready. `findFailingPart` returns null if none fails. */
export async function startMetricsServer(options: {
  host: string;
  port: number;
  metrics: Pick<WorkerMetrics, 'registry'>;
  findFailingPart(): Promise<string | null>;
  logger: Logger;
}): Promise<MetricsServer> {
  const { registry } = options.metrics;

  async function createResponse(
    path: string,
  ): Promise<{ status: number; type: string; body: string }> {
    const type = 'application/json';
    switch (path) {
      case '/metrics':
        return { status: 200, type: registry.contentType, body: await registry.metrics() };
      case '/health/live':
        return { status: 200, type, body: '{"ok":true}' };
      case '/health/ready': {
        const fault = await options.findFailingPart();
        return fault === null
          ? { status: 200, type, body: '{"ok":true}' }
          : {
              status: 503,
              type,
              body: JSON.stringify({ error: 'service_unavailable', detail: fault }),
            };
      }
      default:
        return { status: 404, type, body: '{"error":"not_found","detail":"No such page"}' };
    }
  }

  const server = createServer((request, response) => {
    createResponse(request.url ?? '/').then(
      ({ status, type, body }) =>
        response.writeHead(status, { ...HEADERS, 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  const connections = limitConnections(server, {
    limit: OPERATOR_CONNECTIONS,
    logger: options.logger,
  });
  server.on('request', ({ socket }) => connections.wait(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${options.host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
