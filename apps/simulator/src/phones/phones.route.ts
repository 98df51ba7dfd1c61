import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Journal } from '../ledger/journal.ts';
import { isPhoneNumber } from '../phone-number.ts';
import { parseTreatment, REASONS } from './phone.ts';
import { MAX_PHONES, type PhoneStore } from './phone-store.ts';

/** Reads and sets how the carrier treats texts to a phone. */
export function registerPhones(app: FastifyInstance, phones: PhoneStore, journal: Journal): void {
  function format(number: string) {
    const { treatment, errorCode } = phones.find(number);
    return { number, treatment, error_code: errorCode, reasons: REASONS };
  }

  app.get<{ Params: { number: string } }>('/phones/:number', async (request, reply) => {
    const { number } = request.params;
    return isPhoneNumber(number) ? format(number) : refuse(reply, NOT_A_NUMBER);
  });

  app.put<{ Params: { number: string } }>('/phones/:number', async (request, reply) => {
    const { number } = request.params;
    if (!isPhoneNumber(number)) return refuse(reply, NOT_A_NUMBER);
    const parsed = parseTreatment(request.body);
    if (typeof parsed === 'string') return refuse(reply, parsed);
    const isStored = await phones.put(journal, number, parsed);
    if (isStored) return format(number);
    return refuse(reply, `At most ${MAX_PHONES} phones have a treatment other than delivered`);
  });
}

const NOT_A_NUMBER = '`number` must be an E.164 phone number, for example +14155550123';

function refuse(reply: FastifyReply, detail: string): FastifyReply {
  return reply.code(400).send({ error: 'invalid_params', detail });
}
