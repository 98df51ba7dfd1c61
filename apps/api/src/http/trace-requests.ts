import { type Span, type Tracer, traceIdOf } from '@switchboard/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the request, while it is traced. */
    span: Span | null;
  }
  interface FastifyContextConfig {
    /** The route joins a trace by itself, once it knows which. */
    joinsTrace?: true;
  }
}

/** What is asked for all day by machines, or is a file. */
const UNTRACED = /^\/(health|metrics|assets|ops|\*)/;

/** A span for each request from the first hook to the answer, in the caller's trace if it has one. */
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

/** As if it had begun with the request, however late its trace became known. */
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
    // No address: those of some routes hold numbers and names.
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'switchboard.request_id': request.id,
    },
  });
  request.log = request.log.child({ trace_id: traceIdOf(request.span.traceParent) });
  reply.log = request.log;
}
