import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Attempt, Faults, SendIdentity } from '../behaviour/faults.ts';
import type { Provider } from '../provider.ts';
import type { AcceptMessage, Draft } from './accept-message.ts';
import type { LateAcceptance } from './late-acceptance.ts';
import { answerFaultOf, isRefusedTwice, type AnswerFault } from './magic-numbers.ts';
import type { MessageStore } from './message-store.ts';
import type { Message } from './message.ts';

export interface DecideCreateDependencies {
  accept: AcceptMessage;
  late: LateAcceptance;
  behaviour: BehaviourStore;
  faults: Faults;
  messages: Pick<MessageStore, 'list'>;
}

/** A request to send a message, in the format of one provider. */
export interface CreateAttempt<Refusal> extends SendIdentity {
  provider: Provider;
  refusals: { throttled: Refusal; internal: Refusal };
  /** Validates the request as the provider does. */
  parse(attempt: Attempt): { ok: true; draft: Draft } | { ok: false; refusal: Refusal };
}

export type CreateOutcome<Refusal> =
  | { type: 'refused'; refusal: Refusal }
  /** `answer` is the message in the response. */
  | { type: 'accepted'; answer: Message }
  /**
   * Accepted, but the response describes another message, `answer`. If a provider's response has only
   * an identifier, which a client cannot check, the response has another fault that a client can detect.
   */
  | { type: 'mismatched'; answer: Message }
  | { type: 'forbidden' }
  | { type: 'reset' }
  | { type: 'silent' };

export type DecideCreate = <Refusal>(
  request: CreateAttempt<Refusal>,
) => Promise<CreateOutcome<Refusal>>;

const ANSWER_FAULTS: AnswerFault[] = [
  'accept_then_reset',
  'accept_then_hang',
  'accept_then_500',
  'html_403_accepted',
  'mismatched_201',
];
const ALL_MESSAGES = { to: '', from: '', sentFrom: -Infinity, sentBefore: Infinity };

/**
 * Decides the outcome of a request to send a message, with the faults that the behavior and the magic
 * numbers cause.
 * Refusals without acceptance (429, 500) come first, then the provider's validation, the acceptance
 * and the faults of the response.
 */
export function createDecideCreate(dependencies: DecideCreateDependencies): DecideCreate {
  const { accept, late, behaviour, faults, messages } = dependencies;

  function latestOf(accountSid: string): Message | undefined {
    for (const message of messages.list(accountSid, ALL_MESSAGES, null)) {
      if (message.direction !== 'inbound') return message;
    }
    return undefined;
  }

  return async function decideCreate({ provider, refusals, parse, ...identity }) {
    const now = behaviour.current(provider);
    const attempt = faults.identify(identity);
    const hits = (fault: AnswerFault | 'reject_429' | 'reject_500'): boolean =>
      faults.strikes(fault, attempt.key, now[fault]);

    if (hits('reject_429')) return { type: 'refused', refusal: refusals.throttled };
    if (hits('reject_500')) return { type: 'refused', refusal: refusals.internal };

    const parsed = parse(attempt);
    if (!parsed.ok) return { type: 'refused', refusal: parsed.refusal };
    const draft = { ...parsed.draft, provider };
    if (isRefusedTwice(draft.to) && faults.countRefusal(attempt.identity) <= 2) {
      return { type: 'refused', refusal: refusals.throttled };
    }

    const fault = answerFaultOf(draft.to) ?? ANSWER_FAULTS.find(hits);
    if (fault === 'accept_then_hang' && now.accept_late_ms > 0) {
      late.acceptAfter(now.accept_late_ms, draft);
      return { type: 'silent' };
    }
    const before = latestOf(identity.accountSid);
    const message = await accept(draft);
    switch (fault) {
      case 'accept_then_hang':
        return { type: 'silent' };
      case 'accept_then_reset':
        return { type: 'reset' };
      case 'accept_then_500':
        return { type: 'refused', refusal: refusals.internal };
      case 'html_403_accepted':
        return { type: 'forbidden' };
      case 'mismatched_201':
        return { type: 'mismatched', answer: before ?? message };
      case undefined:
        return { type: 'accepted', answer: message };
    }
  };
}
