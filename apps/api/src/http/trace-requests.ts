import { type Span, type Tracer, traceIdOf } from '@switchboard/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request, while it is traced. */
    span: Span | null;
  }
  interface FastifyContextConfig {
    /** The route itself continues a trace, as soon as it has found the trace. */
    joinsTrace?: true;
  }
}

/** Routes of frequent machine requests and files, which are not traced. */
const UNTRACED = /^\/(health|metrics|assets|ops|\*)/;

/**
 * Creates a span for each request, from the first hook to the response, in the caller's trace if
 * the caller has one.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer | null): void {
  app.decorateRequest('span', null);
  if (tracer === null) return;

  app.addHook('onRequest', async (request, reply) => {
    const { url, config } = request.routeOptions;
    if (url === undefined || UNTRACED.test(url) || config.joinsTrace === true) return;
    const { traceparent } = request.headers;
    beginRequestSpan(tracer, request, reply, typeof traceparent === 'string' ? traceparent : null);
  });

  app.addHook('onResponse', async (request, reply) => {
    request.span?.end({
      attributes: { 'http.response.status_code': reply.statusCode },
      ...(reply.statusCode >= 500 && { failure: String(reply.statusCode) }),
    });
  });
}

/** Starts the span at the time of the request, even if its trace is known only later. */
export function beginRequestSpan(
  tracer: Tracer,
  request: FastifyRequest,
  reply: FastifyReply,
  parent: string | null,
): void {
  const route = request.routeOptions.url ?? 'none';
  request.span = tracer.startSpan(`${request.method} ${route}`, {
    kind: 'server',
    parent,
    startedAt: Date.now() - reply.elapsedTime,
    // Not the URL: some contain phone numbers and names.
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'switchboard.request_id': request.id,
    },
  });
  request.log = request.log.child({ trace_id: traceIdOf(request.span.traceParent) });
  reply.log = request.log;
}
