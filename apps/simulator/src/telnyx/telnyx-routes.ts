import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { VendorAccountStore } from '../accounts/vendor-account-store.ts';
import { type VendorAccount, createTelnyxAccount } from '../accounts/vendor-account.ts';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Journal } from '../ledger/journal.ts';
import { answerCreate } from '../messages/answer-create.ts';
import type { DecideCreate } from '../messages/decide-create.ts';
import type { MessageStore } from '../messages/message-store.ts';
import type { NumberStore } from '../numbers/number-store.ts';
import { formatMessage } from './format-message.ts';
import { parseCreate } from './parse-create.ts';
import { registerProfiles } from './profile-routes.ts';
import { type TelnyxErrorCode, refuse } from './telnyx-error.ts';

export interface TelnyxDependencies {
  accounts: VendorAccountStore;
  journal: Journal;
  behaviour: BehaviourStore;
  messages: Pick<MessageStore, 'find'>;
  numbers: NumberStore;
  decideCreate: DecideCreate;
}

/** Registers Telnyx's API. The first request with an API key creates its account. */
export function registerTelnyx(app: FastifyInstance, dependencies: TelnyxDependencies): void {
  const { accounts, journal, behaviour, messages, numbers, decideCreate } = dependencies;
  const accountOf = new WeakMap<FastifyRequest, VendorAccount>();

  function readAccount(request: FastifyRequest): VendorAccount {
    const account = accountOf.get(request);
    if (account === undefined) throw new Error('The request is not authenticated');
    // The account may have changed since.
    return accounts.find(account.id) ?? account;
  }

  app.addHook('onRequest', async (request, reply) => {
    const apiKey = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (apiKey === undefined) return refuse(reply, '10009');
    let account = accounts.findBySecret('telnyx', apiKey);
    if (account === null) {
      account = createTelnyxAccount(apiKey);
      await accounts.put(journal, account);
    }
    accountOf.set(request, account);
    return undefined;
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if ((error.statusCode ?? 500) < 500) return refuse(reply, '10015', error.message);
    request.log.error(error);
    return refuse(reply, '10007');
  });

  app.post('/messages', async (request, reply) => {
    const account = readAccount(request);
    const { id: accountSid } = account;
    const { fields, ...parsed } = parseCreate(request.body);
    const outcome = await decideCreate<{ code: TelnyxErrorCode; detail?: string }>({
      provider: 'telnyx',
      accountSid,
      ...fields,
      refusals: { throttled: { code: '10011' }, internal: { code: '10007' } },
      parse: ({ key }) => {
        if (parsed.refusal !== null) return { ok: false, refusal: parsed.refusal };
        const draft = {
          sid: randomUUID(),
          accountSid,
          faultKey: key,
          direction: 'outbound-api',
          status: 'queued',
          to: fields.to,
          from: fields.from,
          body: fields.body,
          mediaUrls: fields.mediaUrls,
          messagingServiceSid: null,
          statusCallback: fields.statusCallback || null,
          sendAt: null,
        } as const;
        return { ok: true, draft };
      },
    });
    if (fields.from !== null && outcome.type !== 'refused') {
      await numbers.claim(journal, accountSid, fields.from);
    }
    return answerCreate(request, reply, outcome, {
      latencyMs: behaviour.current('telnyx').latency_ms,
      accept: (message) => reply.send({ data: formatMessage(message, account) }),
      refuse: ({ code, detail }) => refuse(reply, code, detail),
    });
  });

  app.get<{ Params: { id: string } }>('/messages/:id', async (request, reply) => {
    const account = readAccount(request);
    const message = messages.find(account.id, request.params.id);
    return message === null ? refuse(reply, '10005') : { data: formatMessage(message, account) };
  });

  app.get('/public_key', async (request) => ({
    data: { record_type: 'public_key', public: readAccount(request).id },
  }));

  registerProfiles(app, { accounts, journal, numbers, readAccount });
}
