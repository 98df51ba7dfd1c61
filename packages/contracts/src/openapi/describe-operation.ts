import { type ErrorCode, PERMISSIONS } from '@switchboard/core';
import { z } from 'zod';
import type { Endpoint } from '../routes/all-routes.ts';
import { type Credential, permissionOf } from '../routes/define-route.ts';
import { fieldsOf, isRequired } from '../routes/fields-of.ts';
import { listErrors } from '../routes/list-errors.ts';
import { listPathParameters, pathParameters } from '../routes/path-parameters.ts';
import type { HeaderName } from './describe-document.ts';
import type { Content, Operation, Parameter, Ref, Response } from './document.ts';
import { exampleOf } from './example-of.ts';
import type { SchemaCollector } from './schema-collector.ts';

const LIMITS: HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const ANY_FILE = {
  required: true,
  content: { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } },
};

const cacheControl = z
  .string()
  .optional()
  .describe(
    '`no-cache` requests the current state; without it, the response may be slightly out of date',
  )
  .meta({ examples: ['no-cache'] });

/** Describes one path of a route as an operation. The caller moves repeated parts to components. */
export function describeOperation(
  endpoint: Endpoint,
  collector: SchemaCollector,
  errorStatus: Record<ErrorCode, number>,
): Operation & { parameters: Parameter[]; responses: Record<string, Response> } {
  const { name, credential, route } = endpoint;
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    description: describeAccess(endpoint, route.description ?? `${route.summary}.`),
    security: credential === 'none' ? [] : [{ [credential]: [] }],
    ...describeScope(endpoint),
    parameters: describeParameters(endpoint, collector),
    ...(route.bodyType === 'application/octet-stream' && { requestBody: ANY_FILE }),
    ...(route.body !== undefined && {
      requestBody: {
        required: true,
        content: {
          [route.bodyType ?? 'application/json']: {
            schema: collector.describe(route.body, 'input'),
            example: exampleOf(route.body, 'input'),
          },
        },
      },
    }),
    responses: {
      [route.response.status]: describeResponse(endpoint, collector),
      ...describeErrors(endpoint, errorStatus),
    },
  };
}

/** An extension, because only schemes of OAuth 2 and OpenID Connect have scopes. */
function describeScope({ credential, route: { scope } }: Endpoint): { 'x-scope'?: string } {
  return credential !== 'api_key' || scope === undefined ? {} : { 'x-scope': scope };
}

function describeAccess({ credential, path, route }: Endpoint, description: string): string {
  if (credential === 'api_key') {
    const { scope = 'any' } = route;
    const needed = scope === 'any' ? 'Every API key may use this' : `Needs the scope \`${scope}\``;
    return `${description}\n\n${needed}.`;
  }
  if (!path.includes('{workspaceId}')) return description;
  const permission = permissionOf(route);
  const { roles } = PERMISSIONS[permission === 'manage_or_self' ? 'manage' : permission];
  const self = permission === 'manage_or_self' ? ', and every member for themselves' : '';
  return `${description}\n\nFor the ${roles.length === 1 ? 'role' : 'roles'} ${roles.join(', ')}${self}.`;
}

function describeParameters({ path, route }: Endpoint, { describe }: SchemaCollector): Parameter[] {
  const inPath = listPathParameters(path).map((name): Parameter => {
    const { description = name, ...schema } = describe(pathParameters[name], 'input');
    return { name, in: 'path', required: true, description, schema };
  });
  const others = (place: 'query' | 'header', shape: Record<string, z.ZodType>) =>
    fieldsOf(shape).map(([name, field]): Parameter => {
      const { description, ...schema } = describe(field, 'input');
      const required = isRequired(field);
      return { name, in: place, required, ...(description && { description }), schema };
    });
  return [
    ...inPath,
    ...others('query', route.query?.shape ?? {}),
    ...others('header', {
      ...route.headers?.shape,
      ...(route.freshness === 'may_lag' && { 'Cache-Control': cacheControl }),
    }),
  ];
}

function describeResponse(
  { credential, route }: Endpoint,
  { describe }: SchemaCollector,
): Response {
  const { status, schema, contentType, description, headers = [] } = route.response;
  const content: Content =
    schema === undefined
      ? { [contentType ?? 'application/json']: { schema: { type: 'string' } } }
      : {
          'application/json': {
            schema: describe(schema, 'output'),
            example: exampleOf(schema, 'output'),
          },
        };
  const limits = countsRequests(credential) ? LIMITS : [];
  return {
    description: description ?? (status === 201 ? 'Created' : 'Success'),
    headers: pointToHeaders(['X-Request-Id', ...limits, ...headers]),
    content,
  };
}

function describeErrors(
  endpoint: Endpoint,
  errorStatus: Record<ErrorCode, number>,
): Record<string, Response> {
  const byStatus = new Map<number, [ErrorCode, string][]>();
  for (const [code, details] of listErrors(endpoint)) {
    const status = errorStatus[code];
    const own = details.map((detail): [ErrorCode, string] => [code, detail]);
    byStatus.set(status, [...(byStatus.get(status) ?? []), ...own]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => {
      const names: HeaderName[] = ['X-Request-Id'];
      // A request with a valid credential counts, whatever the response.
      if (countsRequests(endpoint.credential) && status !== 401) names.push(...LIMITS);
      if (status === 429 || status === 503) names.push('Retry-After');
      const examples: Record<string, { value: unknown }> = {};
      for (const [error, detail] of errors) {
        const name =
          examples[error] === undefined ? error : `${error}_${Object.keys(examples).length}`;
        examples[name] = { value: { error, detail } };
      }
      const description = errors.map(([code, detail]) => `- \`${code}\`: ${detail}`).join('\n');
      const schema = { $ref: '#/components/schemas/Error' };
      return [
        status,
        {
          description,
          headers: pointToHeaders(names),
          content: { 'application/json': { schema, examples } },
        },
      ];
    }),
  );
}

function countsRequests(credential: Credential): boolean {
  return credential === 'api_key' || credential === 'session';
}

function pointToHeaders(names: readonly HeaderName[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
