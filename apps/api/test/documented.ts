import {
  type JsonSchema,
  type OpenApiResponse,
  type Operation,
  createOpenApiDocument,
} from '@switchboard/contracts';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ERROR_STATUS } from '../src/http/error-status.ts';

export const document = createOpenApiDocument({ version: 'test', errorStatus: ERROR_STATUS });

export interface DocumentedRoute {
  /** `GET /api/messages/{messageId}` */
  key: string;
  method: string;
  path: string;
  operation: Operation;
}

export const documentedRoutes: DocumentedRoute[] = Object.entries(document.paths).flatMap(
  ([path, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const method = name.toUpperCase();
      return { key: `${method} ${path}`, method, path, operation };
    }),
);

const patterns = documentedRoutes
  .map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
    variables: route.path.split('{').length,
  }))
  .toSorted((a, b) => a.variables - b.variables);

/** Returns the documented route of a request, or undefined. */
export function findRoute(method: string, address: string): DocumentedRoute | undefined {
  const [path = ''] = address.split('?');
  const documentedMethod = method === 'HEAD' ? 'GET' : method;
  return patterns.find(({ route, pattern }) => {
    const names = route.method === documentedMethod ? pattern.exec(path)?.slice(1) : undefined;
    return names?.every(isName) === true;
  })?.route;
}

/** Longer path parameters are 404 on every route. */
function isName(variable: string): boolean {
  try {
    return decodeURIComponent(variable).length <= 100;
  } catch {
    return false;
  }
}

/** Returns the documented error codes of a route by status. */
export function codesOf({ operation }: DocumentedRoute): { status: number; code: string }[] {
  return Object.entries(operation.responses).flatMap(([status, response]) =>
    enumOf(response).map((code) => ({ status: Number(status), code })),
  );
}

function enumOf(response: OpenApiResponse): string[] {
  const schema = response.content?.['application/json']?.schema;
  return (schema?.properties?.['error']?.enum ?? []) as string[];
}

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
const validators = new Map<JsonSchema, ValidateFunction>();

function validatorOf(schema: JsonSchema): ValidateFunction {
  let validate = validators.get(schema);
  if (validate === undefined) {
    // Lets references to `#/components/…` resolve.
    validate = ajv.compile({ ...schema, components: document.components });
    validators.set(schema, validate);
  }
  return validate;
}

export interface SeenAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Returns how a response differs from the document, or null if it does not. */
export function findUndocumented(
  method: string,
  address: string,
  { status, headers, text }: SeenAnswer,
): string | null {
  const route = findRoute(method, address);
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (!headers.has('x-request-id')) return 'has no X-Request-Id';
  if (address.startsWith('/api') && type === 'application/json') {
    if (headers.get('x-content-type-options') !== 'nosniff') return 'lacks nosniff';
    if (headers.get('cache-control') !== 'no-store') return 'lacks Cache-Control: no-store';
  }
  if (route === undefined) return findInvalidRefusal(status, text);

  const response = route.operation.responses[status];
  if (response === undefined) return `${route.key} does not document the status ${status}`;
  const optional = status < 400 ? ['Idempotent-Replayed', 'Preference-Applied'] : [];
  const counted = status < 400 || status === 429 ? Object.keys(response.headers) : [];
  const missing = [...counted, ...(status === 503 ? ['Retry-After'] : [])].filter(
    (name) => !optional.includes(name) && !headers.has(name),
  );
  if (missing.length > 0) return `${route.key} documents the headers ${missing.join(', ')}`;
  if (method === 'HEAD') return null;

  const entry = Object.entries(response.content ?? {})[0];
  if (entry === undefined) return null;
  const [documentedType, { schema }] = entry;
  if (documentedType !== '*/*' && documentedType !== type) {
    return `${route.key} documents ${documentedType}, not ${type}`;
  }
  if (type !== 'application/json') return null;
  const validate = validatorOf(schema);
  if (validate(JSON.parse(text))) return null;
  return `${route.key} ${status}: ${ajv.errorsText(validate.errors)}`;
}

/** Describes a response to an unknown route that is not a valid 404 or 400. */
function findInvalidRefusal(status: number, text: string): string | null {
  const code = status === 404 ? 'not_found' : status === 400 ? 'invalid_params' : null;
  const body = code === null || text === '' ? null : (JSON.parse(text) as { error?: unknown });
  return code !== null && (body === null || body.error === code)
    ? null
    : `unknown route with status ${status}: ${text.slice(0, 200)}`;
}

/** Returns whether the document covers an address. It does not contain pages for people. */
export function isDocumentedPart(address: string): boolean {
  return /^\/(api|health|metrics|openapi\.json|docs)\b/.test(address);
}
