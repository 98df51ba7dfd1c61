import { SECRET_FIELD, WEBHOOK_SECRET_FIELD, createDispatchPolicy } from '@switchboard/core';
import {
  createCloseAccount,
  createCloseWorkspace,
  createReadActiveAccess,
  createSurveyUnfinished,
} from '@switchboard/database';
import { createWebhookTargets } from '@switchboard/providers';
import { type Logger, type Tracer, ofTotpSecret } from '@switchboard/runtime';
import { createAccess } from './auth/create-access.ts';
import type { ApiConfig } from './config.ts';
import { sendInboxFrames } from './events/inbox-frames.ts';
import { createHub } from './events/hub.ts';
import { createTypingFrames } from './events/typing-frames.ts';
import { createHealth } from './health/create-health.ts';
import { createSendTable } from './http/send-table.ts';
import { createInfrastructure } from './infrastructure.ts';
import { createInvitePerson } from './members/invite-person.ts';
import { createMessaging } from './messages/create-messaging.ts';
import { createApiMetrics } from './metrics/api-metrics.ts';
import { createInboundUrls } from './numbers/set-inbound-urls.ts';
import { createOpenProvider } from './open-provider.ts';
import { createDescribeCredentials } from './providers/describe-credentials.ts';
import { isSimulatedCarrier } from './providers/is-simulated-carrier.ts';
import { createSealSecret } from './seal-secret.ts';
import { readOperatorLogin } from './queue-page/read-operator-login.ts';
import { ofFlow } from './users/single-sign-on/flows.ts';
import { createSingleSignOn } from './users/single-sign-on/create-single-sign-on.ts';
import { createStores } from './stores.ts';
import { createOpenTestWorkspace } from './open-test-workspace.ts';
import { createSignIn } from './users/create-sign-in.ts';
import { createVerifyCredentials } from './verify-credentials.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

/** The composition root: creates everything that the routes use. */
export async function createDependencies(
  config: ApiConfig,
  logger: Logger,
  tracer: Tracer | null = null,
) {
  const infrastructure = await createInfrastructure(config, logger);
  const { database, history, bus, clock, hints, registry, processes } = infrastructure;
  const { resolveProviderAccount, secretBox } = infrastructure;
  const stores = createStores(config, infrastructure, (event) => hub.offer(event));
  const { invites, phoneNumbers, providers } = stores;
  const {
    UNKNOWN_LOOKUPS_MS: unknownLookupsMs,
    UNKNOWN_RECEIPT_MS: unknownReceiptMs,
    POLL_MS: pollsMs,
    PUBLIC_URL: publicUrl,
  } = config;
  const policy = createDispatchPolicy({ unknownLookupsMs, unknownReceiptMs, pollsMs });
  const health = createHealth(infrastructure);
  const hub = createHub({
    events: stores.messageEvents,
    bus,
    readActiveAccess: createReadActiveAccess(database),
    socketQuotas: {
      key: config.SOCKET_LIMIT_KEY,
      user: config.SOCKET_LIMIT_USER,
      workspace: config.SOCKET_LIMIT_WORKSPACE,
    },
    clock,
    tracer,
    onError: infrastructure.reportError('hub'),
  });
  const inboxFrames = sendInboxFrames({
    bus,
    hub,
    conversations: stores.conversations,
    notes: stores.notes,
    onError: infrastructure.reportError('hub'),
  });
  const typingFrames = createTypingFrames({ bus, hub, clock });
  const metrics = createApiMetrics({
    isReady: health.isReady,
    poolWaiting: () => database.pool.waitingCount,
    sockets: () => hub.stats().sockets,
    liveLag: () => hub.stats().lagEvents,
    replicaLagMs: history.lagMs,
    replicaMaxLagMs: config.REPLICA_MAX_LAG_MS,
    historyReads: history.counts,
  });
  const shared = { config, infrastructure, stores, policy, metrics, tracer };
  const authentication = createAccess(config, infrastructure, stores);
  const messaging = createMessaging(shared);
  const openProvider = createOpenProvider({ providers, resolveProviderAccount });
  const verifyCredentials = createVerifyCredentials(providers);
  const providerAccess = { registry, openProvider, verifyCredentials, publicUrl };
  const inbound = createInboundUrls({ phoneNumbers, ...providerAccess });
  const webhooks = createWebhooks({ ...shared, ...messaging, verifyCredentials, logger });
  const singleSignOn = createSingleSignOn(config, infrastructure, stores, {
    sealFlow: createSealSecret({ secretBox, processes }, ofFlow),
  });
  const sealTotpSecret = createSealSecret({ secretBox, processes }, ofTotpSecret);
  const signIn = createSignIn(config, infrastructure, stores, sealTotpSecret);
  const sealSecret = createSealSecret({ secretBox, processes }, (workspaceId) => ({
    workspaceId,
    field: SECRET_FIELD,
  }));
  const { createTestWorkspace } = stores;

  return {
    ...stores,
    ...messaging,
    ...providerAccess,
    ...webhooks,
    ...signIn,
    singleSignOn,
    hasPasswords: !config.OIDC_ONLY,
    authentication,
    keys: authentication.keys,
    clock,
    processes,
    health,
    hub,
    typingFrames,
    inbound,
    metrics,
    tracer,
    publishLater: bus.publishLater,
    mediaStorage: infrastructure.mediaStorage,
    mediaLinks: infrastructure.mediaLinks,
    mediaLimitBytes: config.MEDIA_LIMIT_WORKSPACE_MB * 1_048_576,
    sendTable: createSendTable(),
    invitePerson: createInvitePerson(invites, clock, signIn),
    simulatorUrl: Object.values(infrastructure.apiUrls).find(isSimulatedCarrier) ?? null,
    setInboundUrlsLater: inbound.setAllLater,
    sealSecret,
    closeWorkspace: createCloseWorkspace(database),
    closeAccount: createCloseAccount(database),
    openTestWorkspace: createOpenTestWorkspace({ createTestWorkspace, sealSecret, clock }),
    sealWebhookSecret: createSealSecret({ secretBox, processes }, (workspaceId) => ({
      workspaceId,
      field: WEBHOOK_SECRET_FIELD,
    })),
    webhookTargets: createWebhookTargets({
      privateNetworks: config.WEBHOOK_PRIVATE_NETWORKS,
      allowLoopback: config.WEBHOOK_ALLOW_LOOPBACK,
    }),
    describeCredentials: createDescribeCredentials(resolveProviderAccount),
    queuePage: {
      login: readOperatorLogin(config),
      failures: signIn.operatorFailures,
      backend: infrastructure.backend,
      hints,
      surveyUnfinished: createSurveyUnfinished(database),
    },
    async start(): Promise<void> {
      await health.assertSchema();
      await Promise.all([clock.start(), infrastructure.processReport.start()]);
    },
    /** Ends the waits of requests for a provider, and of webhooks for the database. */
    endWaiting() {
      webhooks.outageRetry.stop();
      messaging.endWaits();
    },
    async close() {
      await inbound.close();
      await inboxFrames.close();
      typingFrames.close();
      await singleSignOn.provider?.close();
      await infrastructure.close();
    },
  };
}
