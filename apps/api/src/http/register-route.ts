import type { WebSocket } from '@fastify/websocket';
import {
  type Endpoint,
  type RawQuery,
  type Route,
  listEndpoints,
  listPathParameters,
  parseBody,
  parseQuery,
  pathParameters,
} from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
  onRequestAsyncHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import type { Authentication } from '../auth/create-authentication.ts';
import { decompressBody } from './decompress-body.ts';
import { explainSlowRead } from './explain-slow-read.ts';
import { type ResponseOf, type Call, type CallHead, readCaller } from './route-call.ts';

/** A handler with hooks, for routes that need more than a function. */
export interface RouteHandler<Definition extends Route> {
  /** Runs before the body is read, for example to find the object that the path names. */
  onRequest?(call: CallHead<Definition>): Promise<void>;
  /** Runs before the body is parsed. */
  beforeParsing?(call: CallHead<Definition>): Promise<void> | void;
  handle(call: Call<Definition>): Promise<ResponseOf<Definition>> | ResponseOf<Definition>;
  /** Runs in the same turn of the event loop as the upgrade to a WebSocket. */
  beforeUpgrade?(request: FastifyRequest): void;
  /** Takes over the connection of a route that opens a WebSocket. */
  onSocket?(socket: WebSocket, request: FastifyRequest): void;
  config?: FastifyContextConfig;
}

export type RegisterRoute = <Definition extends Route>(
  route: Definition,
  handler: RouteHandler<Definition> | RouteHandler<Definition>['handle'],
) => void;

/**
 * Creates the one function that registers routes. From the definition it derives the paths, the
 * checks of credential, membership and role, the rate limits, the parsing of path, query and body,
 * the status of the response and the code of an unexpected failure. Only provider webhooks are
 * registered elsewhere (`webhooks/`): an adapter has its own paths, and reads and verifies the raw
 * request.
 */
export function createRegisterRoute(
  app: FastifyInstance,
  authentication: Authentication,
): RegisterRoute {
  const endpoints = listEndpoints();

  return function registerRoute(route, given) {
    const handler = typeof given === 'function' ? { handle: given } : given;
    for (const endpoint of endpoints.filter((one) => one.route === route)) {
      app.route(describeRoute(endpoint, handler, authentication));
    }
  };
}

function describeRoute(
  endpoint: Endpoint,
  handler: RouteHandler<Route>,
  { listHooks, countParsed, keys }: Authentication,
): RouteOptions {
  const { route, path, credential } = endpoint;
  const isSocket = route.response.status === 101;
  const onRequest = [
    ...(isSocket ? [requireUpgrade(route)] : []),
    ...listHooks(endpoint),
    ...checkPath(endpoint),
    ...toHooks(handler.onRequest),
  ];
  const isKeyChecked = credential !== 'api_key' || route.checksApiKey === undefined;
  return {
    method: route.method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // A HEAD request for a stream would fetch the whole stream and discard it.
    exposeHeadRoute: route.method === 'GET' && !isSocket && !isStream(route),
    onRequest,
    ...(route.bodyMaxMebibytes !== undefined && {
      bodyLimit: route.bodyMaxMebibytes * 1024 * 1024,
      preParsing: decompressBody,
    }),
    preHandler: [...toHooks(handler.beforeParsing), ...toSyncHooks(handler.beforeUpgrade)],
    config: {
      ...handler.config,
      ...(route.failureCode !== undefined && { failureCode: route.failureCode }),
    },
    ...(!isKeyChecked && { errorHandler: keys.confirmBeforeRefusal }),
    ...(handler.onSocket !== undefined && { wsHandler: handler.onSocket }),
    handler: async (request, reply) => {
      const call = readCall(route, request, reply);
      await countParsed(route, request, reply);
      let response: unknown;
      try {
        response = await handler.handle(call);
      } catch (error) {
        throw explainSlowRead(route, error);
      }
      return reply.code(route.response.status).send(response);
    },
  };
}

function isStream({ response: { contentType, isStored } }: Route): boolean {
  return isStored !== true && (contentType === '*/*' || contentType === 'text/csv');
}

function toHooks(hook: RouteHandler<Route>['beforeParsing']): onRequestAsyncHookHandler[] {
  return hook === undefined ? [] : [async (request, reply) => hook(readHead(request, reply))];
}

/** A hook with a callback, because an async hook would end the turn of the event loop. */
function toSyncHooks(hook: RouteHandler<Route>['beforeUpgrade']): preHandlerHookHandler[] {
  if (hook === undefined) return [];
  return [
    (request, _reply, done) => {
      hook(request);
      done();
    },
  ];
}

function readHead(request: FastifyRequest, reply: FastifyReply): CallHead<Route> {
  const { params, log } = request;
  return { request, reply, log, params: params as object, ...readCaller(request) };
}

function readCall(route: Route, request: FastifyRequest, reply: FastifyReply): Call<Route> {
  const query = request.query as RawQuery;
  return {
    ...readHead(request, reply),
    query: route.query === undefined ? undefined : parseQuery(route.query, query),
    body: readBody(route, request.body),
    isFresh: route.freshness !== undefined && isFreshRequested(request),
  } as Call<Route>;
}

function readBody(route: Route, body: unknown): unknown {
  if (route.parseBody !== undefined) return route.parseBody(body);
  return route.body === undefined ? undefined : parseBody(route.body, body);
}

function isFreshRequested({ headers }: FastifyRequest): boolean {
  return /\bno-cache\b/i.test(headers['cache-control'] ?? '');
}

/**
 * Throws `not_found` if a value in the path does not match its schema. The membership check has
 * already checked the workspace.
 */
function checkPath({ path, route }: Endpoint): onRequestAsyncHookHandler[] {
  const names = listPathParameters(path).filter((name) => name !== 'workspaceId');
  if (names.length === 0) return [];
  return [
    async (request) => {
      const params = request.params as Record<string, unknown>;
      for (const name of names) {
        const parsed = pathParameters[name].safeParse(params[name]);
        if (!parsed.success) throw notFound(route);
        params[name] = parsed.data;
      }
    },
  ];
}

function requireUpgrade(route: Route): onRequestAsyncHookHandler {
  return async (request, reply) => {
    if (!request.ws) throw notFound(route);
    // A refusal closes the connection, because its parser is detached.
    reply.header('connection', 'close');
  };
}

function notFound({ errors }: Route): AppError {
  return new AppError('not_found', errors?.not_found ?? 'No such route');
}
