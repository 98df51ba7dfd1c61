import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { VendorAccountStore } from '../accounts/vendor-account-store.ts';
import type { VendorAccount } from '../accounts/vendor-account.ts';
import type { BehaviourStore } from '../behaviour/behaviour-store.ts';
import type { Journal } from '../ledger/journal.ts';
import { answerCreate } from '../messages/answer-create.ts';
import type { DecideCreate } from '../messages/decide-create.ts';
import type { MessageStore } from '../messages/message-store.ts';
import type { Message } from '../messages/message.ts';
import { parseCreate } from './parse-create.ts';
import { isEvent } from './events.ts';

export interface PhoneGatewayDependencies {
  accounts: VendorAccountStore;
  journal: Journal;
  behaviour: BehaviourStore;
  messages: Pick<MessageStore, 'findBySid'>;
  decideCreate: DecideCreate;
}

interface Refusal {
  status: 400 | 401 | 409 | 429 | 500;
  message: string;
}

/**
 * Registers the part of the API of SMS Gateway for Android that sends messages and sets webhooks, for the
 * accounts that `POST /simulator/accounts` created: https://docs.sms-gate.app/integration/api/
 */
export function registerPhoneGateway(
  app: FastifyInstance,
  dependencies: PhoneGatewayDependencies,
): void {
  const { accounts, journal, behaviour, messages, decideCreate } = dependencies;
  const accountOf = new WeakMap<FastifyRequest, VendorAccount>();

  function readAccount(request: FastifyRequest): VendorAccount {
    const account = accountOf.get(request);
    if (account === undefined) throw new Error('The request is not authenticated');
    return account;
  }

  app.addHook('onRequest', async (request, reply) => {
    const { authorization = '' } = request.headers;
    const [, encoded = ''] = /^Basic +(\S+)$/i.exec(authorization) ?? [];
    const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
    const account = accounts.find(user);
    if (account?.provider !== 'http' || account.secret !== password.join(':')) {
      return refuse(reply, { status: 401, message: 'Unauthorized' });
    }
    accountOf.set(request, account);
    return undefined;
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if ((error.statusCode ?? 500) < 500) {
      return refuse(reply, { status: 400, message: error.message });
    }
    request.log.error(error);
    return refuse(reply, { status: 500, message: 'Internal Server Error' });
  });

  app.post('/messages', async (request, reply) => {
    const { id: accountSid, groupId: deviceId } = readAccount(request);
    const { fields, problem } = parseCreate(request.body);
    const outcome = await decideCreate<Refusal>({
      provider: 'http',
      accountSid,
      to: fields.to,
      body: fields.body,
      statusCallback: fields.id,
      refusals: {
        throttled: { status: 429, message: 'Too Many Requests' },
        internal: { status: 500, message: 'Internal Server Error' },
      },
      parse: ({ key }) => {
        if (problem !== null) return { ok: false, refusal: { status: 400, message: problem } };
        const sid = fields.id === '' ? randomUUID() : fields.id;
        if (messages.findBySid(sid) !== null) {
          return { ok: false, refusal: { status: 409, message: 'message already exists' } };
        }
        const draft = {
          sid,
          accountSid,
          faultKey: key,
          direction: 'outbound-api',
          status: 'queued',
          to: fields.to,
          // The phone's own number.
          from: null,
          body: fields.body,
          mediaUrls: [] as string[],
          messagingServiceSid: null,
          statusCallback: null,
          sendAt: null,
        } as const;
        return { ok: true, draft };
      },
    });
    return answerCreate(request, reply, outcome, {
      latencyMs: behaviour.current('http').latency_ms,
      accept: (message) => reply.code(202).send(formatMessage(message, deviceId)),
      refuse: (refusal) => refuse(reply, refusal),
    });
  });

  app.post('/webhooks', async (request, reply) => {
    const account = readAccount(request);
    const { url, event } = toFields(request.body);
    if (typeof url !== 'string' || !URL.canParse(url) || !isEvent(event)) {
      return refuse(reply, { status: 400, message: 'url and event are required' });
    }
    const eventUrls = { ...account.eventUrls, [event]: url };
    await accounts.put(journal, { ...account, eventUrls });
    return reply.code(201).send({ id: randomUUID(), deviceId: account.groupId, url, event });
  });
}

function formatMessage({ sid, to }: Message, deviceId: string) {
  return {
    id: sid,
    deviceId,
    state: 'Pending',
    isHashed: false,
    isEncrypted: false,
    recipients: [{ phoneNumber: to, state: 'Pending' }],
    states: {},
  };
}

function refuse(reply: FastifyReply, { status, message }: Refusal): FastifyReply {
  return reply.code(status).send({ message });
}

function toFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
