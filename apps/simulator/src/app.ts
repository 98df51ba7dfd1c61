import type { AddressInfo } from 'node:net';
import formbody from '@fastify/formbody';
import fastify, { LogController, type FastifyError, type FastifyInstance } from 'fastify';
import { createAccountStore } from './accounts/account-store.ts';
import { createAuthenticate } from './accounts/authenticate.ts';
import { registerGetAccount } from './accounts/get-account.route.ts';
import { createVendorAccountStore } from './accounts/vendor-account-store.ts';
import { registerVendorAccounts } from './accounts/vendor-accounts.route.ts';
import { createBehaviourStore } from './behaviour/behaviour-store.ts';
import { registerBehaviour } from './behaviour/behaviour.route.ts';
import { createFaults } from './behaviour/faults.ts';
import { createCarrierClock } from './carrier-clock.ts';
import { createToWebhook } from './callbacks/create-to-webhook.ts';
import { createStatusCallbacks } from './callbacks/status-callbacks.ts';
import { type WebhookResult, createWebhookSender } from './callbacks/webhook-sender.ts';
import { createDeliveryStore } from './inbound/delivery-store.ts';
import { registerInboundLedger } from './inbound/inbound-ledger.route.ts';
import { registerMedia } from './inbound/media.route.ts';
import { createPictureStore } from './inbound/picture-store.ts';
import { registerReceiveMessage } from './inbound/receive-message.route.ts';
import { createDescribeReceiver } from './inbound/receiver.ts';
import { openJournal, type JournalRecord } from './ledger/journal.ts';
import { registerLedger } from './ledger/ledger.route.ts';
import { createAcceptMessage } from './messages/accept-message.ts';
import { createDecideCreate } from './messages/decide-create.ts';
import { registerCreateMessage } from './messages/create-message.route.ts';
import { registerGetMessage } from './messages/get-message.route.ts';
import { createLateAcceptance } from './messages/late-acceptance.ts';
import { applyStatus, createLifecycle } from './messages/lifecycle.ts';
import { registerListMessages } from './messages/list-messages.route.ts';
import { createMessageStore } from './messages/message-store.ts';
import { type Message, providerOf } from './messages/message.ts';
import {
  applyRedaction,
  registerDeleteMedia,
  registerUpdateMessage,
} from './messages/update-message.route.ts';
import { createNumberStore } from './numbers/number-store.ts';
import type { PhoneNumber } from './numbers/owned-number.ts';
import { registerNumbers } from './numbers/numbers.route.ts';
import { registerPhoneGateway } from './phone-gateway/phone-gateway-routes.ts';
import { createMessageFeed } from './phones/message-feed.ts';
import { registerPhonePage } from './phones/page.route.ts';
import { createPhoneStore } from './phones/phone-store.ts';
import { registerPhoneControls } from './phones/register-phone-controls.ts';
import { API_PREFIXES, createProviderListeners } from './provider-listeners.ts';
import { PROVIDERS, type Provider } from './provider.ts';
import { refuseForeignPages } from './refuse-foreign-pages.ts';
import { openSmpp } from './smpp/open-smpp.ts';
import { registerTelnyx } from './telnyx/telnyx-routes.ts';
import { refuse } from './twilio-error.ts';
import { registerVonageAccount } from './vonage/account-routes.ts';
import { registerVonage } from './vonage/vonage-routes.ts';

export interface SimulatorOptions {
  /** The folder of the journal. It is created if missing. */
  dataDir: string;
  logLevel?: string;
}

export interface Simulator {
  /** Port 0 selects a free port. Resolves to the base URL. */
  listen(address?: { host?: string; port?: number }): Promise<string>;
  /** The URL of each provider's own port, after `listen`. */
  providerUrls(): Record<Provider, string>;
  /** Stops immediately: closes open requests, drops pending callbacks and keeps message states. */
  close(): Promise<void>;
}

/** Creates simulated providers with one ledger of the messages that they have accepted. */
export function createSimulator({ dataDir, logLevel = 'silent' }: SimulatorOptions): Simulator {
  const app = fastify({
    logger: { level: logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    // Requests that hang on purpose would otherwise delay the shutdown.
    forceCloseConnections: true,
  });
  const logFailure = (cause: unknown): void => app.log.error(cause, 'failed to write the journal');

  const smpp = openSmpp();
  const accounts = createAccountStore();
  const vendorAccounts = createVendorAccountStore();
  const numbers = createNumberStore();
  const messages = createMessageStore();
  const deliveries = createDeliveryStore();
  const pictures = createPictureStore();
  const phones = createPhoneStore();
  const feed = createMessageFeed();
  let ports: Partial<Record<Provider, number>> = {};
  let host = '127.0.0.1';
  const isRefusing = (provider: Provider) => behaviour.current(provider).refuse_connections === 1;
  const behaviour = createBehaviourStore(() => {
    listeners.refuse(isRefusing).catch((cause: unknown) => {
      app.log.error(cause, 'failed to change the ports of the providers');
    });
  });
  const clock = createCarrierClock(() => behaviour.current('twilio'));
  const journal = openJournal(`${dataDir}/journal.ndjson`, replay, logFailure);

  function replay(record: JournalRecord): void {
    switch (record.type) {
      case 'message':
        return messages.add(record.message);
      case 'status': {
        const message = messages.findBySid(record.sid);
        const { status, at, from, errorCode } = record;
        if (message !== null) applyStatus(message, status, at, from, errorCode);
        return;
      }
      case 'redacted': {
        const message = messages.findBySid(record.sid);
        if (message !== null) applyRedaction(message, record.at);
        return;
      }
      case 'media_deleted': {
        const message = messages.findBySid(record.sid);
        if (message !== null) message.mediaUrls[record.index] = '';
        return;
      }
      case 'delivered':
        return deliveries.replay(record);
      case 'token':
        return accounts.replay(record);
      case 'number':
        return numbers.replay(record);
      case 'behaviour':
        return behaviour.replay(record);
      case 'vendor_account':
        return vendorAccounts.replay(record);
      case 'phone':
        return phones.replay(record);
      case 'smpp_part':
        return smpp.replay(record);
      case 'ports':
        ports = record.ports;
        return;
    }
  }

  const faults = createFaults(() => behaviour.current('twilio'));
  const sender = createWebhookSender();
  const toWebhook = createToWebhook(accounts, vendorAccounts);
  const callbacks = createStatusCallbacks(toCallback, behaviour, faults);
  const lifecycle = createLifecycle(journal, numbers, callbacks, feed);
  const accept = createAcceptMessage(journal, messages, lifecycle, phones, feed);
  const late = createLateAcceptance(accept, logFailure);
  const decideCreate = createDecideCreate({ accept, late, behaviour, faults, messages });

  const listeners = createProviderListeners({
    mainPort: () => (app.server.address() as AddressInfo).port,
    onRequest: (request, response) => app.routing(request, response),
    onSmppConnection: smpp.createHandler({
      accounts: vendorAccounts,
      journal,
      behaviour,
      numbers,
      decideCreate,
      onError: (cause) => app.log.error(cause, 'failed to handle a PDU'),
    }),
  });

  function toCallback(message: Message): (() => Promise<unknown>) | null {
    if (providerOf(message) === 'smpp') return smpp.toReceipts(message);
    const webhook = toWebhook(message);
    return webhook === null ? null : () => sender.send(webhook);
  }

  function deliver(message: Message, number: PhoneNumber): Promise<WebhookResult> | null {
    if (providerOf(message) === 'smpp') return smpp.deliver(message);
    const webhook = toWebhook(message, number);
    return webhook === null ? null : sender.send(webhook);
  }

  function providerUrls(): Record<Provider, string> {
    const name = host.includes(':') ? `[${host}]` : host;
    const urls = PROVIDERS.map((provider) => [
      provider,
      `${provider === 'smpp' ? 'smpp' : 'http'}://${name}:${ports[provider]}`,
    ]);
    return Object.fromEntries(urls) as Record<Provider, string>;
  }

  function reset(): void {
    late.stop();
    lifecycle.stop();
    callbacks.forget();
    smpp.clear();
    messages.clear();
    deliveries.clear();
    phones.clear();
    feed.clear();
    faults.forget();
    behaviour.reset();
    journal.replaceWith([
      ...accounts.records(),
      ...vendorAccounts.records(),
      ...numbers.records(),
      { type: 'ports', ports: ports as Record<Provider, number> },
    ]);
  }

  refuseForeignPages(app, () => host);
  void app.register(formbody);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const isInternal = (error.statusCode ?? 500) >= 500;
    if (isInternal) {
      app.log.error({ err: error, method: request.method, url: request.url }, 'request failed');
    }
    if (request.routeOptions.url?.startsWith('/simulator/') !== true) {
      return isInternal ? refuse(reply, 20500) : refuse(reply, 20001, error.message);
    }
    return isInternal
      ? reply.code(500).send({ error: 'internal_error', detail: 'Internal simulator error' })
      : reply.code(400).send({ error: 'invalid_params', detail: error.message });
  });
  app.setNotFoundHandler((request, reply) => refuse(reply, 20404, request.url));
  app.get('/health', async () => ({ ok: true }));
  registerPhonePage(app);

  const twilio = async (scope: FastifyInstance): Promise<void> => {
    // Twilio accepts only forms.
    scope.removeContentTypeParser(['application/json', 'text/plain']);
    scope.addHook('onRequest', createAuthenticate(accounts, journal));
    scope.addHook('onSend', async (_request, reply) => {
      void reply.header('date', clock.httpDate());
    });
    registerGetAccount(scope, accounts);
    registerNumbers(scope, numbers, journal);
    registerCreateMessage(scope, { decideCreate, behaviour, faults, numbers, clock });
    registerListMessages(scope, messages, clock);
    registerGetMessage(scope, messages, clock, pictures);
    registerUpdateMessage(scope, messages, lifecycle, journal, clock);
    registerDeleteMedia(scope, messages, journal);
  };
  const controls = async (scope: FastifyInstance): Promise<void> => {
    // Browsers send forms and plain text to other origins without a preflight request.
    scope.removeContentTypeParser(['application/x-www-form-urlencoded', 'text/plain']);
    registerBehaviour(scope, behaviour, journal);
    registerLedger(scope, journal, reset);
    const smppAddress = () => ({ host, port: ports.smpp ?? 0 });
    registerVendorAccounts(scope, vendorAccounts, journal, smppAddress, numbers);
    scope.get('/provider-urls', async () => providerUrls());
    const describeReceiver = createDescribeReceiver(vendorAccounts);
    const inbound = { accept, describeReceiver, numbers, deliver, deliveries, journal, feed };
    registerReceiveMessage(scope, { ...inbound, behaviour, faults });
    registerInboundLedger(scope, messages, deliveries);
    registerMedia(scope, pictures);
    registerPhoneControls(scope, { ...inbound, phones, messages, pictures });
  };
  void app.register(twilio, { prefix: API_PREFIXES.twilio });
  const shared = { accounts: vendorAccounts, journal, behaviour, numbers, decideCreate };
  void app.register(async (scope) => registerTelnyx(scope, { ...shared, messages }), {
    prefix: API_PREFIXES.telnyx,
  });
  void app.register(async (scope) => registerVonage(scope, shared), {
    prefix: API_PREFIXES.vonage,
  });
  // These paths have no prefix in common.
  void app.register(async (scope) => registerVonageAccount(scope, shared));
  void app.register(async (scope) => registerPhoneGateway(scope, { ...shared, messages }), {
    prefix: API_PREFIXES.http,
  });
  void app.register(controls, { prefix: '/simulator' });

  return {
    async listen({ host: given = '127.0.0.1', port = 0 } = {}) {
      host = given;
      const url = await app.listen({ host, port });
      const kept = ports;
      ports = await listeners.listen(host, kept);
      if (PROVIDERS.some((provider) => kept[provider] !== ports[provider])) {
        await journal.append({ type: 'ports', ports: ports as Record<Provider, number> });
      }
      await listeners.refuse(isRefusing);
      // Only now: a process whose port is in use must not advance the messages of another process.
      for (const message of messages.all()) lifecycle.start(message);
      return url;
    },

    providerUrls,

    async close() {
      late.stop();
      lifecycle.stop();
      callbacks.forget();
      smpp.forget();
      await Promise.all([app.close(), listeners.close(), sender.close()]);
      journal.close();
    },
  };
}
