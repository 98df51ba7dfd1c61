import { randomUUID } from 'node:crypto';
import { AppError } from '@switchboard/core';
import { type FastifyBaseLogger, type FastifyInstance, type RouteOptions, fastify } from 'fastify';
import { registerApiKeyRoutes } from './api-keys/api-key-routes.ts';
import { registerAuditRoute } from './audit/audit.route.ts';
import { registerContactRoutes } from './contacts/contact-routes.ts';
import { registerConversationRoutes } from './conversations/conversation-routes.ts';
import { registerNoteRoutes } from './conversations/note-routes.ts';
import { serveDashboard } from './dashboard/serve-dashboard.ts';
import type { Dependencies } from './dependencies.ts';
import { registerErasureRoutes } from './erasures/erasure-routes.ts';
import { registerEventRoutes } from './events/event-routes.ts';
import { registerWebsocket } from './events/register-websocket.ts';
import { registerHealthRoutes } from './health/health-routes.ts';
import { handleBrokenRequests, onClientError } from './http/handle-broken-requests.ts';
import { handleErrors, sendError } from './http/handle-errors.ts';
import { readBasePath } from './http/base-path.ts';
import { compressResponses } from './http/compress-responses.ts';
import { dropGoneClients } from './http/drop-gone-clients.ts';
import { endIdleConnectionsOnClose } from './http/end-idle-connections.ts';
import { limitAppConnections } from './http/limit-app-connections.ts';
import { RequestLog } from './http/log-requests.ts';
import { setJsonHeaders } from './http/json-headers.ts';
import { parseJsonBodies } from './http/parse-json-bodies.ts';
import { createRegisterRoute } from './http/register-route.ts';
import { traceRequests } from './http/trace-requests.ts';
import { registerKeywordReplyRoutes } from './keyword-replies/keyword-reply-routes.ts';
import { registerFileRoutes, registerUploadRoute } from './media/file-routes.ts';
import { registerMediaRoutes } from './media/media-routes.ts';
import { registerInviteRoutes } from './members/invite-routes.ts';
import { registerMemberRoutes } from './members/member-routes.ts';
import { measureRequests } from './metrics/metrics-routes.ts';
import { registerMessageRoutes } from './messages/message-routes.ts';
import { registerNumberRoutes } from './numbers/number-routes.ts';
import { registerOperatorRoutes } from './ops-app.ts';
import { registerOptOutRoutes } from './opt-outs/opt-out-routes.ts';
import { registerProviderAccountRoutes } from './providers/provider-account-routes.ts';
import { registerProviderNumberRoutes } from './providers/provider-number-routes.ts';
import { registerProviderRoutes } from './providers/provider-routes.ts';
import { registerRoutingShareRoutes } from './providers/routing-share-routes.ts';
import { registerReferenceRoutes } from './reference/reference-routes.ts';
import { registerSavedReplyRoutes } from './saved-replies/saved-reply-routes.ts';
import { registerSavedViewRoutes } from './saved-views/saved-view-routes.ts';
import { registerIdentityRoutes } from './users/single-sign-on/identity-routes.ts';
import { registerSignOnPages } from './users/single-sign-on/sign-on-pages.ts';
import { registerSignOnRoutes } from './users/single-sign-on/sign-on-routes.ts';
import { registerStatsRoutes } from './stats/stats-routes.ts';
import { registerReceiveTestMessage } from './test-mode/receive-test-message.route.ts';
import { registerLinkRoutes } from './users/link-routes.ts';
import { registerSecondFactorRoutes } from './users/second-factor-routes.ts';
import { registerSessionRoutes } from './users/session-routes.ts';
import { registerCloseAccountRoute } from './users/close-account-routes.ts';
import { registerUserRoutes } from './users/user-routes.ts';
import { registerDeliveryRoutes } from './webhook-endpoints/delivery-routes.ts';
import { registerWebhookEndpointRoutes } from './webhook-endpoints/webhook-endpoint-routes.ts';
import { registerWebhookRoutes } from './webhooks/webhook-routes.ts';
import { registerWorkspaceRoutes } from './workspaces/workspace-routes.ts';

const BODY_MAX_BYTES = 64 * 1024;
/** Limit for the arrival of a complete request; a slower body is cut off. */
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * A connection without traffic for this many times the limit is closed, in particular one whose client does
 * not read the response. No response takes longer than the limit for a request.
 */
const IDLE_TIMES = 3;

/** Creates the public server and registers its hooks and routes, in this order. */
export async function createApp(
  dependencies: Dependencies,
  options: {
    logger: FastifyBaseLogger;
    trustedProxies: number;
    requestTimeoutMs?: number;
    /** The maximum number of open connections. Default: none. */
    connectionLimit?: number;
    /** Whether the operators' routes are on their own port. Default: false. */
    hasOpsPort?: boolean;
    /** Called with every route that is registered. */
    onRoute?(route: RouteOptions): void;
  },
): Promise<FastifyInstance> {
  const requestTimeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const app = fastify({
    loggerInstance: options.logger,
    genReqId: (request) => acceptRequestId(request.headers['x-request-id']),
    logController: new RequestLog({ requestIdLogLabel: 'request_id' }),
    // Trust only this many proxies for the client's address.
    trustProxy: (_address, hop) => hop < options.trustedProxies,
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: IDLE_TIMES * requestTimeoutMs,
    keepAliveTimeout: 72_000,
    clientErrorHandler: onClientError,
    // No hook has run at this point.
    frameworkErrors: (error, request, reply) =>
      sendError(reply.header('x-request-id', request.id), describePathError(error.code)),
    return503OnClosing: false,
    http: {
      // We refuse a request without a Host header ourselves, with a JSON body.
      requireHostHeader: false,
      // Node uses the longer of two timeouts for the body. This timeout is 60 s by default.
      headersTimeout: requestTimeoutMs,
      // Without this, Node checks only every 30 s, however short the timeout.
      connectionsCheckingInterval: requestTimeoutMs / 10,
    },
  });

  if (options.onRoute !== undefined) app.addHook('onRoute', options.onRoute);
  dropGoneClients(app);
  limitAppConnections(app, {
    limit: options.connectionLimit ?? Infinity,
    onChange: (open) => dependencies.metrics.connections.set(open),
    onClosed: () => dependencies.metrics.connectionsClosed.inc(),
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  setJsonHeaders(app);
  traceRequests(app, dependencies.tracer);
  await registerWebsocket(app, dependencies.hub);
  handleErrors(app);
  handleBrokenRequests(app);
  endIdleConnectionsOnClose(app);
  parseJsonBodies(app);
  compressResponses(app);

  const basePath = readBasePath(dependencies.publicUrl);
  measureRequests(app, dependencies.metrics);
  const registerRoute = createRegisterRoute(app, dependencies.authentication);
  if (options.hasOpsPort !== true) registerOperatorRoutes(app, registerRoute, dependencies);
  registerHealthRoutes(registerRoute, dependencies.health);
  registerReferenceRoutes(registerRoute, basePath);
  registerMessageRoutes(registerRoute, dependencies);
  registerReceiveTestMessage(registerRoute, dependencies);
  registerMediaRoutes(registerRoute, dependencies);
  registerFileRoutes(registerRoute, dependencies);
  await registerUploadRoute(
    app,
    (scope) => createRegisterRoute(scope, dependencies.authentication),
    dependencies,
  );
  registerWorkspaceRoutes(registerRoute, dependencies);
  registerMemberRoutes(registerRoute, dependencies);
  registerInviteRoutes(registerRoute, dependencies);
  registerApiKeyRoutes(registerRoute, dependencies);
  registerProviderRoutes(registerRoute, dependencies);
  registerWebhookEndpointRoutes(registerRoute, dependencies);
  registerDeliveryRoutes(registerRoute, dependencies);
  registerProviderAccountRoutes(registerRoute, dependencies);
  registerProviderNumberRoutes(registerRoute, dependencies);
  registerRoutingShareRoutes(registerRoute, dependencies);
  registerNumberRoutes(registerRoute, dependencies);
  registerContactRoutes(registerRoute, dependencies);
  registerErasureRoutes(registerRoute, dependencies);
  registerSavedReplyRoutes(registerRoute, dependencies);
  registerSavedViewRoutes(registerRoute, dependencies);
  registerOptOutRoutes(registerRoute, dependencies);
  registerKeywordReplyRoutes(registerRoute, dependencies);
  registerConversationRoutes(registerRoute, dependencies);
  registerNoteRoutes(registerRoute, dependencies);
  registerStatsRoutes(registerRoute, dependencies);
  registerAuditRoute(registerRoute, dependencies);
  registerEventRoutes(app, registerRoute, dependencies);
  registerSessionRoutes(registerRoute, dependencies);
  registerUserRoutes(registerRoute, dependencies);
  registerCloseAccountRoute(registerRoute, dependencies);
  registerSecondFactorRoutes(registerRoute, dependencies);
  registerLinkRoutes(registerRoute, dependencies);
  registerSignOnPages(app, dependencies);
  registerSignOnRoutes(registerRoute, dependencies);
  registerIdentityRoutes(registerRoute, dependencies);
  registerWebhookRoutes(app, dependencies);
  await serveDashboard(app, basePath);
  return app;
}

function describePathError(code: string): AppError {
  return code === 'FST_ERR_MAX_PARAM_LENGTH'
    ? new AppError('not_found', 'The request path has a parameter of more than 100 characters')
    : new AppError('invalid_params', 'The request path is malformed');
}

/**
 * Returns the client's request id if it is valid in a header and a log line; otherwise a new one.
 */
function acceptRequestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();
}
