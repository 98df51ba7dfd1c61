import { routes } from '@switchboard/contracts';
import type { FastifyInstance } from 'fastify';
import type { RegisterRoute } from '../http/register-route.ts';
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

export function registerMetricsRoute(registerRoute: RegisterRoute, metrics: ApiMetrics): void {
  registerRoute(routes.getMetrics, {
    config: { log: 'probe' },
    handle({ reply }) {
      reply.type(metrics.registry.contentType);
      return metrics.registry.metrics();
    },
  });
}
