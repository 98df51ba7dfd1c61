import { z } from 'zod';
import { defineRoute } from './define-route.ts';

const tag = 'Operations';
const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

export const operationsRoutes = {
  getLiveness: defineRoute({
    method: 'GET',
    paths: { none: '/health/live' },
    tag,
    summary: 'Check whether the process is running',
    response: { status: 200, schema: health },
  }),

  getReadiness: defineRoute({
    method: 'GET',
    paths: { none: '/health/ready' },
    tag,
    summary: 'Check whether the process can serve requests',
    response: { status: 200, schema: health },
    errors: { service_unavailable: 'Not ready: database not available' },
  }),

  getMetrics: defineRoute({
    method: 'GET',
    paths: { none: '/metrics' },
    tag,
    summary: 'Get metrics for Prometheus',
    description: 'If `OPS_PORT` is set, this route is on that port and not on the public one.',
    response: { status: 200, contentType: 'text/plain', description: 'Prometheus text format' },
  }),

  getOpenApi: defineRoute({
    method: 'GET',
    paths: { none: '/openapi.json' },
    tag,
    summary: 'Get the OpenAPI 3.1 document for programs',
    response: { status: 200, contentType: 'application/json' },
  }),

  getDashboardOpenApi: defineRoute({
    method: 'GET',
    paths: { none: '/openapi/dashboard.json' },
    tag,
    summary: 'Get the OpenAPI 3.1 document of the dashboard',
    response: { status: 200, contentType: 'application/json' },
  }),

  getReference: defineRoute({
    method: 'GET',
    paths: { none: '/docs' },
    tag,
    summary: 'Read the API reference',
    response: { status: 200, contentType: 'text/html' },
  }),

  getReferenceScript: defineRoute({
    method: 'GET',
    paths: { none: '/docs/scalar.js' },
    tag,
    summary: 'Get the script of the API reference',
    response: { status: 200, contentType: 'text/javascript' },
  }),

  getReferenceStart: defineRoute({
    method: 'GET',
    paths: { none: '/docs/start.js' },
    tag,
    summary: 'Get the script that starts the API reference',
    response: { status: 200, contentType: 'text/javascript' },
  }),
};
