import type { FastifyInstance } from 'fastify';
import type { ApiMetrics } from './api-metrics.ts';

/** Measures every request of the app. */
export function measureRequests(app: FastifyInstance, metrics: ApiMetrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.requestSeconds.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
    done();
  });
}

/** `GET /metrics` for Prometheus. */
export function registerMetricsRoute(app: FastifyInstance, metrics: ApiMetrics): void {
  app.get('/metrics', { config: { log: 'probe' } }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
