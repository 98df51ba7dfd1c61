import { randomUUID } from 'node:crypto';
import { OPERATOR_CONNECTIONS } from '@switchboard/runtime';
import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify';
import type { Dependencies } from './dependencies.ts';
import { registerHealthRoutes } from './health/health-routes.ts';
import { handleBrokenRequests, onClientError } from './http/handle-broken-requests.ts';
import { handleErrors } from './http/handle-errors.ts';
import { endIdleConnectionsOnClose } from './http/end-idle-connections.ts';
import { setJsonHeaders } from './http/json-headers.ts';
import { RequestLog } from './http/log-requests.ts';
import { limitAppConnections } from './http/limit-app-connections.ts';
import { type RegisterRoute, createRegisterRoute } from './http/register-route.ts';
import { registerMetricsRoute } from './metrics/metrics-routes.ts';
import { registerQueuePage } from './queue-page/queue-page.route.ts';

type OperatorDependencies = Pick<
  Dependencies,
  'authentication' | 'metrics' | 'queuePage' | 'health'
>;

/** Registers the routes of operators. Register every new operators' route here. */
export function registerOperatorRoutes(
  app: FastifyInstance,
  registerRoute: RegisterRoute,
  dependencies: Pick<OperatorDependencies, 'metrics' | 'queuePage'>,
): void {
  registerMetricsRoute(registerRoute, dependencies.metrics);
  registerQueuePage(app, dependencies.queuePage);
}

/**
 * Creates the server of `OPS_PORT`: the operators' routes and health, and no other
 * route. It trusts no proxy, because no proxy is in front of it.
 */
export function createOpsApp(
  dependencies: OperatorDependencies,
  options: { logger: FastifyBaseLogger },
): FastifyInstance {
  const app = fastify({
    loggerInstance: options.logger,
    genReqId: () => randomUUID(),
    logController: new RequestLog({ requestIdLogLabel: 'request_id' }),
    clientErrorHandler: onClientError,
    return503OnClosing: false,
  });
  limitAppConnections(app, { limit: OPERATOR_CONNECTIONS });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  setJsonHeaders(app);
  handleErrors(app);
  handleBrokenRequests(app);
  endIdleConnectionsOnClose(app);
  const registerRoute = createRegisterRoute(app, dependencies.authentication);
  registerHealthRoutes(registerRoute, dependencies.health);
  registerOperatorRoutes(app, registerRoute, dependencies);
  return app;
}
