import {
  type Endpoint,
  type JsonSchema,
  type Operation,
  type Parameter,
  createOpenApiDocument,
  listEndpoints,
  listErrors,
} from '@switchboard/contracts';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ERROR_STATUS } from '../src/http/error-status.ts';

/** The address of the schema with all components. */
const ALL = 'https://switchboard.test/all';

/** Vitest evaluates this file again for each test file. What takes a second of processor time is kept in the process. */
const all = await ((globalThis as { documented?: ReturnType<typeof describeAll> }).documented ??=
  describeAll());
export const { documents, schemas } = all;

async function describeAll() {
  const options = { version: 'test', basePath: '', errorStatus: ERROR_STATUS };
  const programs = await createOpenApiDocument({ ...options, audience: 'programs' });
  const dashboard = await createOpenApiDocument({ ...options, audience: 'dashboard' });
  const components = { ...programs.components.schemas, ...dashboard.components.schemas };
  const compiler = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  compiler.addSchema(pointToAll({ components: { schemas: components } }), ALL);
  return {
    documents: [programs, dashboard] as const,
    schemas: components as Record<string, JsonSchema>,
    ajv: compiler,
    validators: new Map<JsonSchema, ValidateFunction>(),
  };
}

export interface DocumentedRoute {
  /** `GET /api/messages/{messageId}` */
  key: string;
  method: string;
  path: string;
  endpoint: Endpoint;
  parameters: Parameter[];
  /** Undefined for a WebSocket, which the documents do not list as an operation. */
  operation: Operation | undefined;
}

export const documentedRoutes: DocumentedRoute[] = listEndpoints().map((endpoint) => {
  const { key, path, route } = endpoint;
  const { method } = route;
  const document = documents.find(({ paths }) => paths[path]?.[method.toLowerCase()] !== undefined);
  const operation = document?.paths[path]?.[method.toLowerCase()];
  const parameters = (operation?.parameters ?? []).flatMap((parameter) =>
    '$ref' in parameter
      ? (document?.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? [])
      : parameter,
  );
  return { key, method, path, endpoint, parameters, operation };
});

const patterns = documentedRoutes
  .map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
    variables: route.path.split('{').length,
  }))
  .toSorted((a, b) => a.variables - b.variables);

/** Returns the documented route of a request, or undefined. */
function findRoute(method: string, address: string): DocumentedRoute | undefined {
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
export function codesOf({ endpoint }: DocumentedRoute): { status: number; code: string }[] {
  return [...listErrors(endpoint).keys()].map((code) => ({ status: ERROR_STATUS[code], code }));
}

/** Lists the headers that every response of a route with this status has. */
function headersOf({ endpoint }: DocumentedRoute, status: number): string[] {
  const isLimited = endpoint.credential === 'api_key' || endpoint.credential === 'session';
  const isCounted = isLimited && (status < 400 || status === 429);
  return [
    ...(isCounted ? ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ];
}

function validatorOf(schema: JsonSchema): ValidateFunction {
  let validate = all.validators.get(schema);
  if (validate === undefined) {
    validate = all.ajv.compile(pointToAll(schema));
    all.validators.set(schema, validate);
  }
  return validate;
}

/** Lets all validators share the compiled components. */
function pointToAll(schema: object): object {
  const text = JSON.stringify(schema);
  return JSON.parse(text.replaceAll('"$ref":"#/', `"$ref":"${ALL}#/`)) as object;
}

export interface SeenResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Returns how a response differs from the documents, or null if it does not. */
export function findUndocumented(
  method: string,
  address: string,
  { status, headers, text }: SeenResponse,
): string | null {
  const route = findRoute(method, address);
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (!headers.has('x-request-id')) return 'has no X-Request-Id';
  if (address.startsWith('/api') && type === 'application/json') {
    if (headers.get('x-content-type-options') !== 'nosniff') return 'lacks nosniff';
    if (headers.get('cache-control') !== 'no-store') return 'lacks Cache-Control: no-store';
  }
  if (route === undefined) return findInvalidRefusal(status, text);

  const { response } = route.endpoint.route;
  const codes = codesOf(route).filter((one) => one.status === status);
  if (status !== response.status && codes.length === 0) {
    return `${route.key} does not document the status ${status}`;
  }
  const missing = headersOf(route, status).filter((name) => !headers.has(name));
  if (missing.length > 0) return `${route.key} documents the headers ${missing.join(', ')}`;
  if (method === 'HEAD' || response.status === 101) return null;

  const isError = status !== response.status;
  const documentedType = isError
    ? 'application/json'
    : (response.contentType ?? 'application/json');
  if (documentedType !== '*/*' && documentedType !== type) {
    return `${route.key} documents ${documentedType}, not ${type}`;
  }
  if (type !== 'application/json') return null;
  const body = JSON.parse(text) as { error?: string };
  if (isError && !codes.some(({ code }) => code === body.error)) {
    return `${route.key} does not document ${body.error} with the status ${status}`;
  }
  const schema = isError ? schemas['Error'] : responseSchemaOf(route);
  if (schema === undefined) return null;
  const validate = validatorOf(schema);
  return validate(body) ? null : `${route.key} ${status}: ${all.ajv.errorsText(validate.errors)}`;
}

/** Undefined where the document has no schema for the response. */
function responseSchemaOf({ endpoint, operation }: DocumentedRoute): JsonSchema | undefined {
  if (endpoint.route.response.schema === undefined) return undefined;
  const response = operation?.responses[endpoint.route.response.status];
  if (response === undefined || '$ref' in response) return undefined;
  return response.content?.['application/json']?.schema;
}

/** Describes a response to an unknown route that is not a valid 404 or 400. */
function findInvalidRefusal(status: number, text: string): string | null {
  const code = status === 404 ? 'not_found' : status === 400 ? 'invalid_params' : null;
  const body = code === null || text === '' ? null : (JSON.parse(text) as { error?: unknown });
  return code !== null && (body === null || body.error === code)
    ? null
    : `unknown route with status ${status}: ${text.slice(0, 200)}`;
}

/** Returns whether the documents cover an address. They do not contain pages for people. */
export function isDocumentedPart(address: string): boolean {
  // Pages that send a browser on.
  if (/^\/api\/ui\/oidc\/(start|callback)\b/.test(address)) return false;
  return /^\/(api|health|metrics|openapi\.json|openapi\/dashboard\.json|docs)\b/.test(address);
}

/** Returns whether only a provider may call the route. */
export function isProviderWebhook({ endpoint }: Pick<DocumentedRoute, 'endpoint'>): boolean {
  return endpoint.credential.endsWith('_signature');
}
