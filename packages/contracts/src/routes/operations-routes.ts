import { z } from 'zod';
import type { RouteTable } from './route.ts';

const tag = 'Operations';
const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

export const operationsRoutes = {
  'GET /health/live': {
    tag,
    summary: 'Whether the process runs',
    credential: null,
    answer: { status: 200, schema: health },
  },
  'GET /health/ready': {
    tag,
    summary: 'Whether the process can serve',
    credential: null,
    answer: { status: 200, schema: health },
    errors: { service_unavailable: '`detail` names the part that is away' },
  },
  'GET /metrics': {
    tag,
    summary: 'Metrics for Prometheus',
    description: 'On `OPS_PORT` where the operator set it, and not on the public port then.',
    credential: null,
    answer: { status: 200, contentType: 'text/plain' },
  },
  'GET /openapi.json': {
    tag,
    summary: 'This description, in OpenAPI 3.1',
    credential: null,
    answer: { status: 200, contentType: 'application/json' },
  },
  'GET /docs': {
    tag,
    summary: 'This description, to read',
    credential: null,
    answer: { status: 200, contentType: 'text/html' },
  },
} as const satisfies RouteTable;
