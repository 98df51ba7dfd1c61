import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyInstance } from 'fastify';
import type { VendorAccountStore } from '../accounts/vendor-account-store.ts';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Journal } from '../ledger/journal.ts';
import { answerCreate } from '../messages/answer-create.ts';
import type { DecideCreate } from '../messages/decide-create.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import { authenticate } from './authenticate.ts';
import { parseCreate } from './parse-create.ts';
import { type VonageErrorCode, refuse } from './vonage-error.ts';

export interface VonageDependencies {
  accounts: Pick<VendorAccountStore, 'find'>;
  journal: Journal;
  behaviour: BehaviourStore;
  numbers: Pick<NumberStore, 'claim'>;
  decideCreate: DecideCreate;
}

/** Registers Vonage's Messages API, for the applications that `POST /simulator/accounts` created. */
export function registerVonage(app: FastifyInstance, dependencies: VonageDependencies): void {
  const { accounts, journal, behaviour, numbers, decideCreate } = dependencies;

  app.setErrorHandler((error: FastifyError, request, reply) => {
    if ((error.statusCode ?? 500) < 500) return refuse(reply, '1020', error.message);
    request.log.error(error);
    return refuse(reply, '1030');
  });

  app.post('/messages', async (request, reply) => {
    const account = authenticate(accounts, request.headers.authorization);
    if (account === null) return refuse(reply, 'unauthorized');
    const { id: accountSid } = account;
    const { fields, refusal } = parseCreate(request.body);
    const { to, from, body, mediaUrls, statusCallback, reference } = fields;
    const outcome = await decideCreate<{ code: VonageErrorCode; detail?: string }>({
      provider: 'vonage',
      accountSid,
      to,
      body,
      statusCallback,
      refusals: { throttled: { code: 'throttled' }, internal: { code: '1030' } },
      parse: ({ key }) => {
        if (refusal !== null) return { ok: false, refusal };
        const draft = {
          sid: randomUUID(),
          accountSid,
          faultKey: key,
          direction: 'outbound-api',
          status: 'queued',
          to,
          from,
          body,
          mediaUrls,
          messagingServiceSid: null,
          statusCallback: statusCallback || null,
          sendAt: null,
          ...(reference !== '' && { reference }),
        } as const;
        return { ok: true, draft };
      },
    });
    if (outcome.type !== 'refused') await numbers.claim(journal, accountSid, from);
    return answerCreate(request, reply, outcome, {
      latencyMs: behaviour.current('vonage').latency_ms,
      accept: ({ sid }) => reply.code(202).send({ message_uuid: sid }),
      refuse: ({ code, detail }) => refuse(reply, code, detail),
      mismatch: () => reply.code(202).send({}),
    });
  });
}
