import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type MessagePdu, type StatusName, decodeText } from '@switchboard/smpp';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Journal } from '../ledger/journal.ts';
import type { Draft } from '../messages/accept-message.ts';
import type { DecideCreate } from '../messages/decide-create.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import { findRefusal, parseSubmit } from './parse-submit.ts';
import { type PartStore, keyOf } from './part-store.ts';
import type { StoredPart } from './stored-part.ts';

export type SubmitOutcome =
  | { type: 'accepted'; messageId: string }
  | { type: 'refused'; status: StatusName }
  | { type: 'reset' }
  | { type: 'silent' }
  /** The response is to another command. */
  | { type: 'mismatched' };

export type HandleSubmit = (accountId: string, pdu: MessagePdu) => Promise<SubmitOutcome>;

interface HandleSubmitDependencies {
  journal: Journal;
  behaviour: BehaviourStore;
  numbers: Pick<NumberStore, 'claim'>;
  parts: PartStore;
  decideCreate: DecideCreate;
}

/**
 * Decides the outcome of a submit_sm. A part of a message is confirmed immediately. The faults of the
 * behavior and of the magic numbers apply to the submit_sm that completes the message.
 */
export function createHandleSubmit(dependencies: HandleSubmitDependencies): HandleSubmit {
  const { journal, behaviour, numbers, parts, decideCreate } = dependencies;

  return async function handleSubmit(accountId, pdu) {
    const submit = parseSubmit(pdu);
    const { to, from, part, text, receipt } = submit;
    const messageId = randomUUID();
    const key = keyOf(accountId, submit);
    const sequence = part?.sequence ?? 1;
    const own: StoredPart = {
      id: messageId,
      sequence,
      content: text.bytes.toString('base64'),
      receipt,
    };
    const all = part === null ? [own] : parts.complete(key, own, part.total);
    if (all === null) {
      const refusal = findRefusal(submit);
      if (refusal !== null) return { type: 'refused', status: refusal };
      await parts.keep(journal, key, own);
      return { type: 'accepted', messageId };
    }
    const body = decodeText(
      all.map((each) => ({ ...text, bytes: Buffer.from(each.content, 'base64') })),
    ).toWellFormed();
    const outcome = await decideCreate<StatusName>({
      provider: 'smpp',
      accountSid: accountId,
      to,
      body,
      statusCallback: '',
      refusals: { throttled: 'ESME_RTHROTTLED', internal: 'ESME_RSYSERR' },
      parse: ({ key: faultKey }) => {
        const refusal = findRefusal(submit);
        if (refusal !== null) return { ok: false, refusal };
        const draft: Draft = {
          sid: messageId,
          accountSid: accountId,
          faultKey,
          direction: 'outbound-api',
          status: 'queued',
          to,
          from,
          body,
          mediaUrls: [],
          messagingServiceSid: null,
          statusCallback: null,
          sendAt: null,
          receipts: all.flatMap(({ id, receipt: on }) => (on === 'none' ? [] : [{ id, on }])),
        };
        return { ok: true, draft };
      },
    });
    if (outcome.type !== 'refused') {
      if (part !== null) await parts.remove(journal, key);
      await numbers.claim(journal, accountId, from);
    }
    const { latency_ms: latencyMs } = behaviour.current('smpp');
    if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false });
    switch (outcome.type) {
      case 'accepted':
        return { type: 'accepted', messageId: outcome.answer.sid };
      case 'refused':
        return { type: 'refused', status: outcome.refusal };
      case 'forbidden':
        return { type: 'refused', status: 'ESME_RUNKNOWNERR' };
      default:
        return outcome;
    }
  };
}
