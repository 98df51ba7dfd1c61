import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CreateOutcome } from './decide-create.ts';
import type { Message } from './message.ts';

/** A response that a proxy between caller and provider may send after it forwarded the request. */
const FORBIDDEN_PAGE =
  '<html><head><title>403 Forbidden</title></head><body><h1>403 Forbidden</h1></body></html>';

/** Answers a request to send a message after `latencyMs`, in the format of one provider. */
export async function answerCreate<Refusal>(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  outcome: CreateOutcome<Refusal>,
  options: {
    latencyMs: number;
    accept(message: Message): FastifyReply;
    refuse(refusal: Refusal): FastifyReply;
    /** Responds to the outcome `mismatched`. By default, `accept` responds with the message of the outcome. */
    mismatch?(): FastifyReply;
  },
): Promise<FastifyReply> {
  const { latencyMs } = options;
  if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false });
  switch (outcome.type) {
    case 'accepted':
      return options.accept(outcome.answer);
    case 'mismatched':
      return options.mismatch?.() ?? options.accept(outcome.answer);
    case 'refused':
      return options.refuse(outcome.refusal);
    case 'forbidden':
      return reply.code(403).type('text/html').send(FORBIDDEN_PAGE);
    case 'reset':
      reply.hijack();
      raw.socket.resetAndDestroy();
      return reply;
    case 'silent':
      // Kept open until the client disconnects or the simulator closes.
      return reply.hijack();
  }
}
