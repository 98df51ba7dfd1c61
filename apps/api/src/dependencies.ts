import {
  POOL_SIZES,
  createDispatchPolicy,
  createReceiveInbound,
  createTransition,
} from '@switchboard/core';
import {
  MigrationError,
  createApiKeyStore,
  createAuditStore,
  createCountErrorCodes,
  createCountMessages,
  createDatabase,
  createDatabaseClock,
  createIdempotencyStore,
  createInviteStore,
  createKeywordReplyStore,
  createHistoryReads,
  createListConversations,
  createListMessages,
  createMemberStore,
  createMessageEventStore,
  createMessageStore,
  createOptOutStore,
  createPhoneNumberStore,
  createProcessReport,
  createProcessStore,
  createProviderStore,
  createReadActiveAccess,
  createSchemaCheck,
  createSessionStore,
  createSurveyUnfinished,
  createUnmatchedCallbackStore,
  createUserStore,
  createWorkspaceStore,
} from '@switchboard/database';
import { createEventBus } from '@switchboard/events';
import {
  createProviderRegistry,
  createResolveProviderAccount,
  readApiUrls,
} from '@switchboard/providers';
import { createHintProducer } from '@switchboard/queue';
import { createRateLimits } from '@switchboard/rate-limits';
import {
  type Logger,
  StartRefusedError,
  type Tracer,
  createSecretBox,
  rememberOpened,
} from '@switchboard/runtime';
import { createApiKeyCheck } from './auth/check-api-key.ts';
import { createRequireSession } from './auth/check-session.ts';
import { createAuthentication } from './auth/create-authentication.ts';
import type { ApiConfig } from './config.ts';
import { createHub } from './events/hub.ts';
import { findFailingParts } from './health/health-routes.ts';
import { createInvitePerson } from './members/invite-person.ts';
import { createAcceptMessage } from './messages/accept-message.ts';
import { createCancelMessage } from './messages/cancel-message.ts';
import { createApiMetrics } from './metrics/api-metrics.ts';
import { createHintLater } from './messages/hint-later.ts';
import { createMessageWaiter } from './messages/message-waiter.ts';
import { createInboundWiring } from './numbers/inbound-wiring.ts';
import { createOpenProvider } from './open-provider.ts';
import { createSealSecret } from './providers/seal-secret.ts';
import { isSimulatedCarrier } from './providers/is-simulated-carrier.ts';
import { createChangePassword } from './users/change-password.ts';
import { createLoginThrottle } from './users/login-throttle.ts';
import { createStartSession } from './users/start-session.ts';
import { createSignUp } from './users/sign-up.ts';
import { createLimitWebhooks } from './webhooks/limit-webhooks.ts';
import { createOutageRetry } from './webhooks/retry-while-database-is-away.ts';
import { createRecordStatusCallback } from './webhooks/record-status-callback.ts';
import { createVerifyCredentials } from './verify-credentials.ts';
import { createRequireVerifiedAccount } from './webhooks/require-verified-account.ts';
import { createVerifyWebhook } from './webhooks/verify-webhook.ts';

const MINUTE_SECONDS = 60;
const QUARTER_HOUR_SECONDS = 900;
/** The largest count that PostgreSQL keeps of a window. */
const NEVER_REACHED = 2 ** 31 - 1;
const QUEUE_TIMEOUT_MS = 2_000;
const BUS_TIMEOUT_MS = 2_000;
// Long enough for a busy machine: what is counted apart is not counted exactly.
const LIMIT_TIMEOUT_MS = 2_000;

export type Dependencies = ReturnType<typeof createDependencies>;

/** The composition root: what the API is made of, and how it joins. */
export function createDependencies(
  config: ApiConfig,
  logger: Logger,
  tracer: Tracer | null = null,
) {
  const redisUrl = config.REDIS_URL ?? null;
  // What listens and locks needs a connection that stays its own.
  const databaseUrl = config.DIRECT_DATABASE_URL ?? config.DATABASE_URL;
  const report = (part: string) => (error: unknown) =>
    logger.warn({ err: error, part }, 'background error');

  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: POOL_SIZES.api,
    applicationName: 'switchboard-api',
    onError: report('database'),
  });
  const clock = createDatabaseClock({ database, onError: report('clock') });
  // Statements of this process's own making only: nothing that decides is read there.
  const history = createHistoryReads({
    primary: database,
    replicaUrl: config.REPLICA_DATABASE_URL ?? null,
    maxLagMs: config.REPLICA_MAX_LAG_MS,
    poolSize: POOL_SIZES.apiHistory,
    applicationName: 'switchboard-api-history',
    onError: report('replica'),
    onChange: (from, reason) =>
      logger[from === 'replica' ? 'info' : 'warn']({ from, reason }, 'history reads switched'),
  });
  const bus = createEventBus({
    redisUrl,
    databaseUrl,
    timeoutMs: BUS_TIMEOUT_MS,
    onError: report('events'),
  });
  const hints = createHintProducer({
    redisUrl,
    databaseUrl,
    timeoutMs: QUEUE_TIMEOUT_MS,
    onError: report('queue'),
  });
  const limits = createRateLimits({
    redisUrl,
    pool: database.pool,
    timeoutMs: LIMIT_TIMEOUT_MS,
    onError: report('rate limits'),
  });
  const apiUrls = readApiUrls(config);
  const registry = createProviderRegistry({
    apiUrls,
    callTimeoutMs: config.PROVIDER_TIMEOUT_MS,
  });

  const apiKeys = createApiKeyStore(database);
  const sessions = createSessionStore(database);
  const users = createUserStore(database);
  const workspaces = createWorkspaceStore(database);
  const members = createMemberStore(database);
  const invites = createInviteStore(database);
  const providers = createProviderStore(database);
  const phoneNumbers = createPhoneNumberStore(database);
  const idempotency = createIdempotencyStore(database);
  const messageEvents = createMessageEventStore(database);
  const messages = createMessageStore(database, {
    leaseMs: config.LEASE_MS,
    hintGraceMs: 2 * config.SWEEP_MS,
    keywordRepliesPerHour: config.KEYWORD_REPLIES_PER_HOUR,
  });
  const hub = createHub({
    events: messageEvents,
    bus,
    readActiveAccess: createReadActiveAccess(database),
    socketQuotas: {
      key: config.SOCKET_LIMIT_KEY,
      user: config.SOCKET_LIMIT_USER,
      workspace: config.SOCKET_LIMIT_WORKSPACE,
    },
    clock,
    tracer,
    onError: report('hub'),
  });
  const health = {
    checks: {
      database: () => database.ping(),
      schema: createSchemaCheck(database),
      queue: () => hints.ping(),
      events: () => bus.ping(),
    },
    isShuttingDown: () => shuttingDown,
  };
  let shuttingDown = false;
  const metrics = createApiMetrics({
    isReady: async () => !shuttingDown && (await findFailingParts(health.checks)).length === 0,
    poolWaiting: () => database.pool.waitingCount,
    sockets: () => hub.stats().sockets,
    liveLag: () => hub.stats().lagEvents,
    replicaLagMs: history.lagMs,
    replicaMaxLagMs: config.REPLICA_MAX_LAG_MS,
    historyReads: history.counts,
  });
  const waiter = createMessageWaiter(bus);

  const hintLater = createHintLater({
    hints,
    tracer,
    onFailed(error, count) {
      metrics.failedHints.inc(count);
      report('queue')(error);
    },
  });
  // The hub finds events whose notification failed.
  const { publishLater } = bus;
  const policy = createDispatchPolicy({
    unknownLookupsMs: config.UNKNOWN_LOOKUPS_MS,
    pollsMs: config.POLL_MS,
  });
  const unmatchedCallbacks = createUnmatchedCallbackStore(database, registry.isOptOutCode);
  const { transition } = createTransition({
    store: messages,
    unmatchedCallbacks,
    publishLater,
    policy,
    metrics,
  });

  const workspaceLimit = {
    name: 'workspace',
    requests: config.RATE_LIMIT_WORKSPACE,
    whose: 'of the whole workspace',
  };
  const keys = createApiKeyCheck({
    apiKeys,
    recordUseLater: (apiKeyId) => {
      apiKeys.recordUse(apiKeyId).catch(report('database'));
    },
    limit: limits.createLimit({
      name: 'messaging',
      requests: config.RATE_LIMIT_MESSAGING,
      windowSeconds: MINUTE_SECONDS,
      group: workspaceLimit,
    }),
    clock,
  });
  const authentication = createAuthentication({
    keys,
    requireSession: createRequireSession({
      sessions,
      limit: limits.createLimit({
        name: 'ui',
        requests: config.RATE_LIMIT_UI,
        windowSeconds: MINUTE_SECONDS,
      }),
    }),
    workspaces,
    workspaceLimit: limits.createLimit({ ...workspaceLimit, windowSeconds: MINUTE_SECONDS }),
  });
  const secretBox = createSecretBox(config.SECRET_KEY);
  const processes = createProcessStore(database);
  const processReport = createProcessReport({
    store: processes,
    role: 'api',
    keyIds: secretBox.keyIds,
    onError: report('process list'),
  });
  const openProvider = createOpenProvider({
    providers,
    resolveProviderAccount: createResolveProviderAccount({ registry, secretBox }),
  });
  const verifyCredentials = createVerifyCredentials(providers);
  const inbound = createInboundWiring({
    phoneNumbers,
    registry,
    openProvider,
    verifyCredentials,
    publicUrl: config.PUBLIC_URL,
  });
  const startSession = createStartSession({ sessions, clock, publishLater });
  const createFailureLimit = (name: string, failures: number) =>
    limits.createFailureLimit({ name, failures, windowSeconds: QUARTER_HOUR_SECONDS });
  const outageRetry = createOutageRetry();

  return {
    authentication,
    metrics,
    tracer,
    health,
    queuePage: {
      login: operatorLogin(config),
      failures: createFailureLimit('operator', 10),
      backend: redisUrl === null ? 'PostgreSQL' : 'Redis',
      hints,
      surveyUnfinished: createSurveyUnfinished(database),
    },
    messageRoutes: {
      keys,
      messages,
      messageEvents,
      listHistory: history.fromEither(createListMessages),
      acceptMessage: createAcceptMessage({
        messages,
        idempotency,
        hintLater,
        publishLater,
        waiter,
        onWaitFailed: report('waiting answer'),
        clock,
        tracer,
      }),
      cancelMessage: createCancelMessage(transition),
      sendWaitSeconds: config.SEND_WAIT_SECONDS,
    },
    mediaRoutes: { messages, openProvider },
    workspaceRoutes: { workspaces, clock },
    memberRoutes: { members, publishLater },
    inviteRoutes: {
      invites,
      invitePerson: createInvitePerson(invites, clock),
      clock,
    },
    apiKeyRoutes: { apiKeys, publishLater, clock },
    providerRoutes: {
      providers,
      registry,
      openProvider,
      verifyCredentials,
      wireNumbersLater: inbound.wireAllLater,
      sealSecret: createSealSecret({ secretBox, processes }),
      clock,
    },
    numberRoutes: { phoneNumbers, inbound, clock },
    keywordReplyRoutes: {
      keywordReplies: createKeywordReplyStore(database),
    },
    optOutRoutes: { optOuts: createOptOutStore(database), clock },
    conversationsRoute: {
      listConversations: createListConversations(database),
      listPastConversations: history.fromEither(createListConversations),
    },
    errorCodesRoute: {
      countErrorCodes: history.fromEither(createCountErrorCodes),
      clock,
    },
    statsRoute: { countMessages: history.fromEither(createCountMessages), clock },
    auditRoute: { audit: createAuditStore(database) },
    eventRoutes: { hub, publicUrl: config.PUBLIC_URL },
    sessionRoutes: {
      users,
      sessions,
      startSession,
      beginLogin: createLoginThrottle({
        pairFailures: createFailureLimit('login', 10),
        addressFailures: createFailureLimit('address', 50),
        accountFailures: createFailureLimit('account', NEVER_REACHED),
      }),
      publishLater,
    },
    userRoutes: {
      workspaces,
      startSession,
      signUp: createSignUp({
        users,
        invites,
        attempts: createFailureLimit('sign-up', 50),
        allowSignup: config.ALLOW_SIGNUP,
        clock,
      }),
      changePassword: createChangePassword({
        users,
        failures: createFailureLimit('password', 10),
      }),
      isCarrierSimulated: Object.values(apiUrls).some(isSimulatedCarrier),
      publishLater,
    },
    webhookRoutes: {
      metrics,
      tracer,
      outageRetry,
      receiveInbound: createReceiveInbound({
        store: (message, keyword) => outageRetry.retry(() => messages.receive(message, keyword)),
        publishLater,
        hintLater,
      }),
      clock,
      verifyWebhook: createVerifyWebhook({
        providers,
        resolveProviderAccount: createResolveProviderAccount({
          registry,
          secretBox: rememberOpened(secretBox),
        }),
        requireVerifiedAccount: createRequireVerifiedAccount(verifyCredentials, clock),
      }),
      registry,
      publicUrl: config.PUBLIC_URL,
      limitWebhooks: createLimitWebhooks(
        limits.createLimit({
          name: 'webhooks',
          requests: config.RATE_LIMIT_WEBHOOKS,
          whose: 'of the provider of this workspace',
          windowSeconds: MINUTE_SECONDS,
        }),
      ),
      readRow: messages.readRow,
      recordStatusCallback: createRecordStatusCallback({
        messages,
        unmatchedCallbacks,
        transition,
        policy,
      }),
    },
    /** Refuses a database that is there and older than this version; one that is away may come. */
    async assertSchema() {
      try {
        await health.checks.schema();
      } catch (error) {
        if (error instanceof MigrationError) throw new StartRefusedError(error.message);
        report('schema')(error);
      }
    },
    startClock: () => clock.start(),
    startProcessReport: () => processReport.start(),
    /** From now on not ready, so that load balancers send no more. */
    reportNotReady() {
      shuttingDown = true;
    },
    /** From now on answers wait neither for a provider nor for the database to return. */
    endWaiting() {
      outageRetry.stop();
      waiter.endWaiting();
    },
    async close() {
      clock.stop();
      await inbound.close();
      await Promise.all([
        hints.close(),
        bus.close(),
        limits.close(),
        registry.close(),
        history.close(),
        processReport.stop(),
      ]);
      await database.close();
    },
  };
}

function operatorLogin({ QUEUE_UI_USER: user, QUEUE_UI_PASSWORD: password }: ApiConfig) {
  return user === undefined || password === undefined ? null : { user, password };
}
