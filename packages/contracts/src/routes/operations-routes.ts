import { z } from 'zod';
import { defineRoute } from './define-route.ts';

const tag = 'Operations';
const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

export const getLiveness = defineRoute({
  method: 'GET',
  paths: { none: '/health/live' },
  tag,
  summary: 'Check whether the process runs',
  answer: { status: 200, schema: health },
});

export const getReadiness = defineRoute({
  method: 'GET',
  paths: { none: '/health/ready' },
  tag,
  summary: 'Check whether the process can serve',
  answer: { status: 200, schema: health },
  errors: { service_unavailable: 'Not ready: database not available' },
});

export const getMetrics = defineRoute({
  method: 'GET',
  paths: { none: '/metrics' },
  tag,
  summary: 'Get metrics for Prometheus',
  description: 'If `OPS_PORT` is set, this route is on that port and not on the public one.',
  answer: { status: 200, contentType: 'text/plain', description: 'Prometheus text format' },
});

export const getOpenApi = defineRoute({
  method: 'GET',
  paths: { none: '/openapi.json' },
  tag,
  summary: 'Get the OpenAPI 3.1 document for programs',
  answer: { status: 200, contentType: 'application/json' },
});

export const getDashboardOpenApi = defineRoute({
  method: 'GET',
  paths: { none: '/openapi/dashboard.json' },
  tag,
  summary: 'Get the OpenAPI 3.1 document of the dashboard',
  answer: { status: 200, contentType: 'application/json' },
});

export const getReference = defineRoute({
  method: 'GET',
  paths: { none: '/docs' },
  tag,
  summary: 'Read the reference',
  answer: { status: 200, contentType: 'text/html' },
});

export const getReferenceScript = defineRoute({
  method: 'GET',
  paths: { none: '/docs/scalar.js' },
  tag,
  summary: 'Get the script of the reference',
  answer: { status: 200, contentType: 'text/javascript' },
});

export const getReferenceStart = defineRoute({
  method: 'GET',
  paths: { none: '/docs/start.js' },
  tag,
  summary: 'Get the script that starts the reference',
  answer: { status: 200, contentType: 'text/javascript' },
});
