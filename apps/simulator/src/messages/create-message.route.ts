import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Faults } from '../behaviour/faults.ts';
import type { CarrierClock } from '../carrier-clock.ts';
import type { Form } from '../form.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import { refuse, type TwilioErrorCode } from '../twilio-error.ts';
import type { AcceptMessage } from './accept-message.ts';
import { formatMessage } from './format-message.ts';
import type { LateAcceptance } from './late-acceptance.ts';
import { answerFaultOf, isRefusedTwice, type AnswerFault } from './magic-numbers.ts';
import type { MessageStore } from './message-store.ts';
import type { Message } from './message.ts';
import { parseCreate, type CreateRequest } from './parse-create.ts';

export interface CreateMessageDependencies {
  accept: AcceptMessage;
  late: LateAcceptance;
  behaviour: BehaviourStore;
  faults: Faults;
  messages: Pick<MessageStore, 'list'>;
  clock: CarrierClock;
  numbers: Pick<NumberStore, 'find'>;
}

type Outcome =
  | { type: 'refused'; code: TwilioErrorCode; detail?: string }
  /** `answer` is the message in the response, which may be another one. */
  | { type: 'accepted'; answer: Message }
  | { type: 'forbidden' }
  | { type: 'reset' }
  | { type: 'silent' };

const ANSWER_FAULTS: AnswerFault[] = [
  'accept_then_reset',
  'accept_then_hang',
  'accept_then_500',
  'html_403_accepted',
  'mismatched_201',
];
const TRIAL_PREFIX = 'Sent from your Twilio trial account - ';
/** A response that a proxy between caller and Twilio may send after it forwarded the request. */
const FORBIDDEN_PAGE =
  '<html><head><title>403 Forbidden</title></head><body><h1>403 Forbidden</h1></body></html>';
const ALL_MESSAGES = { to: '', from: '', sentFrom: -Infinity, sentBefore: Infinity };

/**
 * Accepts a message, with the faults of the behaviour and of the magic numbers. Refusals without
 * acceptance (429, 500) come first, then Twilio's validation, the acceptance and the faults of the
 * response. `latency_ms` delays every response, but not the acceptance.
 */
export function registerCreateMessage(
  app: FastifyInstance,
  dependencies: CreateMessageDependencies,
): void {
  const { accept, late, behaviour, faults, messages, numbers, clock } = dependencies;

  async function decide(accountSid: string, form: Form): Promise<Outcome> {
    const now = behaviour.current();
    const attempt = faults.identify(accountSid, form);
    const hits = (fault: AnswerFault | 'reject_429' | 'reject_500' | 'trial_prefix'): boolean =>
      faults.strikes(fault, attempt.key, now[fault]);

    if (hits('reject_429')) return { type: 'refused', code: 20429 };
    if (hits('reject_500')) return { type: 'refused', code: 20500 };

    const parsed = parseCreate(form, (from) => numbers.find(from)?.accountSid === accountSid);
    if (!parsed.ok) return { ...parsed, type: 'refused' };
    const prefix = hits('trial_prefix') ? TRIAL_PREFIX : '';
    const draft = draftOf(parsed.request, accountSid, prefix, attempt.key);
    if (isRefusedTwice(draft.to) && faults.countRefusal(attempt.identity) <= 2) {
      return { type: 'refused', code: 20429 };
    }

    const fault = answerFaultOf(draft.to) ?? ANSWER_FAULTS.find(hits);
    if (fault === 'accept_then_hang' && now.accept_late_ms > 0) {
      late.acceptAfter(now.accept_late_ms, draft);
      return { type: 'silent' };
    }
    const before = latestOf(accountSid);
    const message = await accept(draft);
    switch (fault) {
      case 'accept_then_hang':
        return { type: 'silent' };
      case 'accept_then_reset':
        return { type: 'reset' };
      case 'accept_then_500':
        return { type: 'refused', code: 20500 };
      case 'html_403_accepted':
        return { type: 'forbidden' };
      case 'mismatched_201':
        return { type: 'accepted', answer: before ?? message };
      case undefined:
        return { type: 'accepted', answer: message };
    }
  }

  function latestOf(accountSid: string): Message | undefined {
    for (const message of messages.list(accountSid, ALL_MESSAGES, null)) {
      if (message.direction !== 'inbound') return message;
    }
    return undefined;
  }

  app.post<{ Params: { accountSid: string }; Body: Form | undefined }>(
    '/Accounts/:accountSid/Messages.json',
    async (request, reply) => {
      const outcome = await decide(request.params.accountSid, request.body ?? {});
      const latencyMs = behaviour.current().latency_ms;
      if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false });
      switch (outcome.type) {
        case 'accepted':
          return reply.code(201).send(formatMessage(outcome.answer, clock));
        case 'refused':
          return refuse(reply, outcome.code, outcome.detail);
        case 'forbidden':
          return reply.code(403).type('text/html').send(FORBIDDEN_PAGE);
        case 'reset':
          reply.hijack();
          request.raw.socket.resetAndDestroy();
          return reply;
        case 'silent':
          // Kept open until the client disconnects or the simulator closes.
          return reply.hijack();
      }
    },
  );
}

function draftOf(request: CreateRequest, accountSid: string, prefix: string, faultKey: string) {
  const { sendAt, messagingServiceSid } = request;
  const status =
    sendAt !== null ? 'scheduled' : messagingServiceSid !== null ? 'accepted' : 'queued';
  return { ...request, prefix, accountSid, faultKey, direction: 'outbound-api', status } as const;
}
