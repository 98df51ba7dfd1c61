import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What this route takes is kept as an event of its message: its successes need no line. */
    isKeptAsEvent?: true;
  }
}

/**
 * One line for a request, when it is answered, with what was asked: writing lines is a good part of
 * what a short request costs. What has arrived and is not answered yet shows at level `debug`.
 */
export class RequestLog extends LogController {
  override incomingRequest(request: FastifyRequest): void {
    request.log.debug({ req: request }, 'incoming request');
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const fields = {
      req: request,
      res: reply,
      responseTime: reply.elapsedTime,
      message_request_id: request.messageRequestId ?? undefined,
    };
    if (error == null) {
      const { isKeptAsEvent = false } = request.routeOptions.config;
      const level = isKeptAsEvent && reply.statusCode < 300 ? 'debug' : 'info';
      reply.log[level](fields, 'request completed');
    } else {
      reply.log.error({ ...fields, err: error }, 'request errored');
    }
  }
}
