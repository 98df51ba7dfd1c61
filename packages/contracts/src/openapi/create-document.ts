import type { ErrorCode } from '@switchboard/core';
import { fieldsOf, isRequired } from '../routes/fields-of.ts';
import { listErrors } from '../routes/list-errors.ts';
import type { Credential, Route } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import type {
  Content,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  Response,
} from './document.ts';
import { createSchemaCollector } from './schema-collector.ts';

export interface DocumentOptions {
  version: string;
  /** The HTTP status of each error code. */
  errorStatus: Record<ErrorCode, number>;
}

type Describe = ReturnType<typeof createSchemaCollector>['describe'];

const DESCRIPTION = `Send and receive SMS and MMS, and follow every message live.

Programs use an API key, people a session token; both go into \`Authorization: Bearer …\`. Times are
UTC in ISO 8601, ids are UUIDs, fields that are not known are ignored. Whatever is not a success is
\`{ "error": code, "detail": text }\`. Every answer has an \`X-Request-Id\`, which stands in our logs.`;

const PATH_PARAMETERS: Record<string, JsonSchema> = {
  workspaceId: { type: 'string', format: 'uuid' },
  messageId: { type: 'string', description: 'The message’s `id` or the provider’s `sid`' },
  numberId: { type: 'string', format: 'uuid' },
  keyId: { type: 'string', format: 'uuid' },
  userId: { type: 'string', format: 'uuid' },
  number: { type: 'string', examples: ['+15551234567'] },
  index: { type: 'string', description: 'Which one of the message’s `media`, from 0' },
};

const HEADERS = {
  'X-Request-Id': 'Names the request in our logs; the caller’s own where it sent one',
  'X-RateLimit-Limit':
    'Requests a minute, in the window that leaves the fewest: the key’s, its workspace’s or the user’s. Absent where no limit is set',
  'X-RateLimit-Remaining': 'Requests left in this window',
  'X-RateLimit-Reset': 'Whole seconds until the window ends',
  'Retry-After': 'Seconds after which a retry makes sense',
  'Idempotent-Replayed': '`true`: the answer of an earlier request with the same key',
  'Preference-Applied': 'The preference that was applied: `wait=N` or `handling=strict`',
} as const;

type HeaderName = keyof typeof HEADERS;

const LIMITS: HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** The OpenAPI 3.1 document of all routes. */
export function createOpenApiDocument({ version, errorStatus }: DocumentOptions): OpenApiDocument {
  const { components, describe } = createSchemaCollector();
  const paths: OpenApiDocument['paths'] = {};
  const tags = new Set<string>();
  for (const [key, route] of Object.entries<Route>(routes)) {
    const [method = '', path = ''] = key.split(' ');
    tags.add(route.tag);
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId: nameOperation(method, path),
      tags: [route.tag],
      summary: route.summary,
      ...(route.description !== undefined && { description: route.description }),
      security: route.credential === null ? [] : [{ [route.credential]: [] }],
      parameters: describeParameters(path, route, describe),
      ...(route.body !== undefined && {
        requestBody: { required: true, content: describeBody(route, describe) },
      }),
      responses: {
        [route.answer.status]: describeAnswer(route, describe),
        ...describeErrors(path, route, errorStatus),
      },
    } satisfies Operation;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Switchboard', version, description: DESCRIPTION },
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      ),
      securitySchemes: {
        api_key: { type: 'http', scheme: 'bearer', description: 'An API key of the workspace' },
        session: { type: 'http', scheme: 'bearer', description: 'A session token of a member' },
        provider_signature: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Twilio-Signature',
          description: 'The provider’s signature over the address and the form',
        },
      } satisfies Record<Credential, object>,
    },
  };
}

function describeParameters(path: string, route: Route, describe: Describe): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => {
    const { description, ...schema } = PATH_PARAMETERS[name] ?? { type: 'string' };
    return { name, in: 'path', required: true, ...(description && { description }), schema };
  });
  const others = (['query', 'headers'] as const).flatMap((kind) =>
    listFields(route[kind]).map(([name, field]): Parameter => {
      const { description, ...schema } = describe(field, 'input');
      return {
        name,
        in: kind === 'headers' ? 'header' : 'query',
        required: isRequired(field),
        ...(description !== undefined && { description }),
        schema,
      };
    }),
  );
  return [...inPath, ...others];
}

function listFields(schema: Route['query']) {
  return schema === undefined ? [] : fieldsOf(schema);
}

function describeBody(route: Route, describe: Describe): Content {
  const schema = route.body === undefined ? {} : describe(route.body, 'input');
  return { [route.bodyType ?? 'application/json']: { schema } };
}

function describeAnswer({ answer, ...route }: Route, describe: Describe): Response {
  const names: HeaderName[] = [
    'X-Request-Id',
    ...(countsRequests(route) ? LIMITS : []),
    ...(route.headers === undefined
      ? []
      : (['Idempotent-Replayed', 'Preference-Applied'] as const)),
  ];
  const type = answer.contentType ?? 'application/json';
  const schema = answer.schema === undefined ? {} : describe(answer.schema, 'output');
  return {
    description: answer.description ?? (answer.status === 201 ? 'Created' : 'Success'),
    headers: pointToHeaders(names),
    ...(answer.status !== 101 && { content: { [type]: { schema } } }),
  };
}

function describeErrors(
  path: string,
  route: Route,
  errorStatus: Record<ErrorCode, number>,
): Record<string, Response> {
  const byStatus = new Map<number, [ErrorCode, string[]][]>();
  for (const error of listErrors(path, route)) {
    const status = errorStatus[error[0]];
    byStatus.set(status, [...(byStatus.get(status) ?? []), error]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => {
      const names: HeaderName[] = ['X-Request-Id'];
      // Those who are let in are counted, whatever comes of it.
      if (countsRequests(route) && status !== 401) names.push(...LIMITS);
      if (status === 429 || status === 503) names.push('Retry-After');
      return [
        status,
        {
          description: errors
            .map(([code, conditions]) => `\`${code}\`: ${conditions.join('; ')}`)
            .join('\n\n'),
          headers: pointToHeaders(names),
          content: { 'application/json': { schema: errorSchema(errors.map(([code]) => code)) } },
        },
      ];
    }),
  );
}

function errorSchema(codes: ErrorCode[]): JsonSchema {
  return {
    type: 'object',
    properties: { error: { type: 'string', enum: codes }, detail: { type: 'string' } },
    required: ['error', 'detail'],
    additionalProperties: false,
  };
}

function countsRequests({ credential }: Pick<Route, 'credential'>): boolean {
  return credential === 'api_key' || credential === 'session';
}

function pointToHeaders(names: readonly HeaderName[]): Response['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** `GET /api/ui/workspaces/{workspaceId}/numbers` is `getUiWorkspacesNumbers`. */
function nameOperation(method: string, path: string): string {
  const words = path
    .replace(/^\/api\//, '/')
    .replaceAll(/\{(workspaceId)\}/g, '')
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== '');
  const isOne = path.endsWith('{workspaceId}');
  return [method.toLowerCase(), ...words, ...(isOne ? ['one'] : [])]
    .map((word, at) => (at === 0 ? word : (word[0] ?? '').toUpperCase() + word.slice(1)))
    .join('');
}
