import type { FastifyInstance } from 'fastify';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Attempt, Faults } from '../behaviour/faults.ts';
import type { CarrierClock } from '../carrier-clock.ts';
import { textOf, type Form } from '../form.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import { refuse, type TwilioErrorCode } from '../twilio-error.ts';
import { answerCreate } from './answer-create.ts';
import type { DecideCreate } from './decide-create.ts';
import { formatMessage } from './format-message.ts';
import { parseCreate, type CreateRequest } from './parse-create.ts';

export interface CreateMessageDependencies {
  decideCreate: DecideCreate;
  behaviour: BehaviourStore;
  faults: Pick<Faults, 'strikes'>;
  clock: CarrierClock;
  numbers: Pick<NumberStore, 'find'>;
}

interface Refusal {
  code: TwilioErrorCode;
  detail?: string;
}

const TRIAL_PREFIX = 'Sent from your Twilio trial account - ';

/** Registers Twilio's route that creates a message. */
export function registerCreateMessage(
  app: FastifyInstance,
  dependencies: CreateMessageDependencies,
): void {
  const { decideCreate, behaviour, faults, numbers, clock } = dependencies;

  function parse(accountSid: string, form: Form, { key }: Attempt) {
    const parsed = parseCreate(form, (from) => numbers.find(from)?.accountSid === accountSid);
    if (!parsed.ok) {
      const { ok, ...refusal } = parsed;
      return { ok, refusal };
    }
    const probability = behaviour.current('twilio').trial_prefix;
    const prefix = faults.strikes('trial_prefix', key, probability) ? TRIAL_PREFIX : '';
    return { ok: true as const, draft: draftOf(parsed.request, accountSid, prefix, key) };
  }

  app.post<{ Params: { accountSid: string }; Body: Form | undefined }>(
    '/Accounts/:accountSid/Messages.json',
    async (request, reply) => {
      const { accountSid } = request.params;
      const form = request.body ?? {};
      const outcome = await decideCreate<Refusal>({
        provider: 'twilio',
        accountSid,
        to: textOf(form, 'To'),
        body: textOf(form, 'Body'),
        statusCallback: textOf(form, 'StatusCallback'),
        refusals: { throttled: { code: 20429 }, internal: { code: 20500 } },
        parse: (attempt) => parse(accountSid, form, attempt),
      });
      return answerCreate(request, reply, outcome, {
        latencyMs: behaviour.current('twilio').latency_ms,
        accept: (message) => reply.code(201).send(formatMessage(message, clock)),
        refuse: ({ code, detail }) => refuse(reply, code, detail),
      });
    },
  );
}

function draftOf(request: CreateRequest, accountSid: string, prefix: string, faultKey: string) {
  const { sendAt, messagingServiceSid } = request;
  const status =
    sendAt !== null ? 'scheduled' : messagingServiceSid !== null ? 'accepted' : 'queued';
  return { ...request, prefix, accountSid, faultKey, direction: 'outbound-api', status } as const;
}
