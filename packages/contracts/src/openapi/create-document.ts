import type { ErrorCode } from '@switchboard/core';
import { z } from 'zod';
import { eventFrame } from '../frames.ts';
import { listEndpoints } from '../routes/all-routes.ts';
import { fieldsOf } from '../routes/fields-of.ts';
import {
  type Audience,
  DESCRIPTIONS,
  HEADERS,
  SECURITY_SCHEMES,
  TAG_DESCRIPTIONS,
  TITLES,
} from './describe-document.ts';
import { describeOperation } from './describe-operation.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import type { OpenApiDocument } from './document.ts';
import { createSchemaCollector } from './schema-collector.ts';
import { shareComponents } from './share-components.ts';

export interface DocumentOptions {
  audience: Audience;
  version: string;
  /** The path below which the service is reached, for example `/sms`; empty if there is none. */
  basePath: string;
  /** The HTTP status of each error code. */
  errorStatus: Record<ErrorCode, number>;
}

/**
 * Creates the OpenAPI 3.1 document of one audience, which takes 300 ms of processor time, in turns of one operation, so
 * that other requests do not wait. A WebSocket route is in the description and in `x-websockets`,
 * because an OpenAPI operation must have a success response and an upgrade has none.
 */
export async function createOpenApiDocument(options: DocumentOptions): Promise<OpenApiDocument> {
  const { audience, version, basePath, errorStatus } = options;
  const all = listEndpoints().filter(
    ({ credential }) => (credential === 'api_key') === (audience === 'programs'),
  );
  const endpoints = all.filter(({ route }) => route.response.status !== 101);
  const sockets = all.filter(({ route }) => route.response.status === 101);
  const collector = createSchemaCollector();
  const codes = fieldsOf<string, number>(errorStatus).map(([code]) => code);
  collector.describe(errorSchema(codes), 'output');
  collector.describe(eventFrame, 'output');
  const described: ReturnType<typeof describeOperation>[] = [];
  for (const endpoint of endpoints) {
    described.push(describeOperation(endpoint, collector, errorStatus));
    await new Promise((resolve) => void setTimeout(resolve));
  }
  const { operations, parameters, responses } = shareComponents(described);

  const webhooks = audience === 'programs' ? describeWebhooks(collector) : null;

  const { EventFrame: frame = {}, ...schemas } = collector.components;
  const paths: OpenApiDocument['paths'] = {};
  endpoints.forEach(({ path, route }, index) => {
    const operation = operations[index];
    if (operation !== undefined) (paths[path] ??= {})[route.method.toLowerCase()] = operation;
  });
  const tags = [...new Set(endpoints.map(({ route }) => route.tag))];
  const used = JSON.stringify([paths, responses]);
  return {
    openapi: '3.1.0',
    info: {
      ...TITLES[audience],
      version,
      description: DESCRIPTIONS[audience],
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath, description: 'This service' }],
    tags: tags.map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })),
    paths,
    ...(webhooks !== null && { webhooks }),
    'x-websockets': sockets.map(({ path }) => ({ path, frame })),
    components: {
      schemas: sortByName(schemas),
      parameters: sortByName(parameters),
      headers: Object.fromEntries(
        fieldsOf<string, string>(HEADERS)
          .filter(([name]) => used.includes(`"#/components/headers/${name}"`))
          .map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
      ),
      responses: sortByName(responses),
      securitySchemes: Object.fromEntries(
        Object.entries(SECURITY_SCHEMES).filter(([credential]) =>
          endpoints.some((endpoint) => endpoint.credential === credential),
        ),
      ),
    },
  };
}

function errorSchema(codes: string[]) {
  return z
    .object({
      error: z.enum(codes).describe('The code; stable, for programs'),
      detail: z.string().describe('The reason; for people'),
    })
    .meta({ id: 'Error' });
}

function sortByName<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
