import {
  createApiKeyStore,
  createAuditStore,
  createContactStore,
  createConversationStore,
  createCountErrorCodes,
  createCountMessages,
  createIdempotencyStore,
  createInviteStore,
  createKeywordReplyStore,
  createListConversations,
  createListMessages,
  createMemberStore,
  createMessageEventStore,
  createMessageStore,
  createNoteStore,
  createOptOutStore,
  createPhoneNumberStore,
  createProviderAccountStore,
  createProviderStore,
  createReadMessagesAfter,
  createSavedReplyStore,
  createRouteReader,
  createRoutingStore,
  createSavedViewStore,
  createSessionStore,
  createUnmatchedCallbackStore,
  createUserStore,
  createWebhookDeliveryStore,
  createWebhookEndpointStore,
  createWorkspaceStore,
} from '@switchboard/database';
import type { ApiConfig } from './config.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Creates each store once, because calls of one store share statements. */
export function createStores(config: ApiConfig, infrastructure: Infrastructure) {
  const { database, history, registry } = infrastructure;
  return {
    apiKeys: createApiKeyStore(database),
    audit: createAuditStore(database),
    contacts: createContactStore(database),
    conversations: createConversationStore(database),
    idempotency: createIdempotencyStore(database),
    invites: createInviteStore(database),
    keywordReplies: createKeywordReplyStore(database),
    members: createMemberStore(database),
    messageEvents: createMessageEventStore(database),
    messages: createMessageStore(database, {
      leaseMs: config.LEASE_MS,
      hintGraceMs: 2 * config.SWEEP_MS,
      keywordRepliesPerHour: config.KEYWORD_REPLIES_PER_HOUR,
    }),
    notes: createNoteStore(database),
    optOuts: createOptOutStore(database),
    phoneNumbers: createPhoneNumberStore(database),
    providers: createProviderStore(database),
    savedReplies: createSavedReplyStore(database),
    providerAccounts: createProviderAccountStore(database),
    routing: createRoutingStore(database),
    routeReader: createRouteReader(database),
    savedViews: createSavedViewStore(database),
    sessions: createSessionStore(database),
    unmatchedCallbacks: createUnmatchedCallbackStore(database, registry.isOptOutCode),
    users: createUserStore(database),
    webhookDeliveries: createWebhookDeliveryStore(database),
    webhookEndpoints: createWebhookEndpointStore(database),
    workspaces: createWorkspaceStore(database),
    listConversations: createListConversations(database),
    // These may read from the replica.
    listHistory: history.fromEither(createListMessages),
    readHistoryAfter: history.fromEither(createReadMessagesAfter),
    listPastConversations: history.fromEither(createListConversations),
    countErrorCodes: history.fromEither(createCountErrorCodes),
    countMessages: history.fromEither(createCountMessages),
  };
}

export type Stores = ReturnType<typeof createStores>;
