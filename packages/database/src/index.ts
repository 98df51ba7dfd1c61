export { migrate, type MigrateOptions } from './migrations/migrate.ts';
export { compareMigrations } from './migrations/compare-migrations.ts';
export { createSchemaCheck } from './migrations/schema-check.ts';
export { checkServerVersion } from './migrations/server-version.ts';
export { MigrationError } from './migrations/migration-error.ts';
export { type Database, type DatabaseOptions, createDatabase } from './database.ts';
export { type DatabaseClock, createDatabaseClock } from './database-clock.ts';
export {
  type HistoryReads,
  type HistoryReadsOptions,
  createHistoryReads,
} from './replica/history-reads.ts';
export { classifySqlError, isDatabaseUnavailable, isStatementTimeout } from './sql-error.ts';
export {
  type AccessQuery,
  type ActiveAccess,
  type ReadActiveAccess,
  createReadActiveAccess,
} from './access/read-active-access.ts';
export {
  type ApiKeyStore,
  type KeyUse,
  type StoredApiKey,
  createApiKeyStore,
} from './api-keys/api-key-store.ts';
export type { ActiveApiKey } from './api-keys/find-active-keys.ts';
export {
  type ErasureStore,
  type StoredErasure,
  createErasureStore,
} from './erasures/erasure-store.ts';
export {
  type DueErasure,
  type ErasingStore,
  createErasingStore,
} from './erasures/erasing-store.ts';
export {
  type DueRedaction,
  type RedactionResult,
  type RedactionStore,
  createRedactionStore,
} from './erasures/redaction-store.ts';
export {
  type AuditSelection,
  type AuditStore,
  type StoredAuditEntry,
  createAuditStore,
} from './audit/audit-store.ts';
export { type Actor, OPERATOR } from './audit/record-audit.ts';
export {
  type ConversationStore,
  createConversationStore,
} from './conversations/conversation-store.ts';
export { type NoteStore, type StoredNote, createNoteStore } from './conversations/note-store.ts';
export {
  type ConversationFilter,
  type ConversationPage,
  type ListConversations,
  createListConversations,
} from './conversations/list-conversations.ts';
export { type ReadThread, type ThreadPage, createReadThread } from './conversations/read-thread.ts';
export type { StoredConversation } from './conversations/stored-conversation.ts';
export { createIndexMessages } from './messages/search-index/index-messages.ts';
export {
  type FoundMessages,
  type SearchMessages,
  createSearchMessages,
} from './messages/search/search-messages.ts';
export { type ContactStore, createContactStore } from './contacts/contact-store.ts';
export type { NumberTaken } from './contacts/find-owners.ts';
export type { MergeRefusal } from './contacts/merge-contacts.ts';
export type { ContactPosition } from './contacts/list-contacts.ts';
export type { StoredContact } from './contacts/stored-contact.ts';
export {
  type SavedReplyStore,
  type StoredSavedReply,
  createSavedReplyStore,
} from './saved-replies/saved-reply-store.ts';
export {
  type MediaFileStore,
  type MediaUse,
  type StoredMediaFile,
  type UnusedMediaFile,
  createMediaFileStore,
} from './media-files/media-file-store.ts';
export {
  type SavedViewStore,
  type StoredSavedView,
  createSavedViewStore,
} from './saved-views/saved-view-store.ts';
export {
  type ClaimedKey,
  type IdempotencyStore,
  type StoredAnswer,
  createIdempotencyStore,
} from './idempotency-keys/idempotency-store.ts';
export { type MailRequest } from './mails/enqueue-mail.ts';
export { type MailStore, createMailStore } from './mails/mail-store.ts';
export type { DueMail, OpenedMail } from './mails/open-mail.ts';
export { type InviteStore, type StoredInvite, createInviteStore } from './invites/invite-store.ts';
export type { InviteRefusal } from './members/accept-invite.ts';
export type { Page, PageRequest } from './list-page.ts';
export {
  type ConnectedIdentity,
  type Identity,
  type IdentityStore,
  createIdentityStore,
} from './identities/identity-store.ts';
export { type InvitesOfAddress, createInvitesOfAddress } from './members/join-by-address.ts';
export { type EndRestoredAccess, createEndRestoredAccess } from './users/end-restored-access.ts';
export { type SignInLinkStore, createSignInLinkStore } from './users/sign-in-link-store.ts';
export { type ApplyGroupRoles, createApplyGroupRoles } from './members/apply-group-roles.ts';
export { type MemberStore, type StoredMember, createMemberStore } from './members/member-store.ts';
export {
  type MessageEventStore,
  createMessageEventStore,
} from './messages/events/message-event-store.ts';
export type { TimelineEvent } from './messages/events/list-message-events.ts';
export type {
  ClientEvent,
  EventCounters,
  EventPage,
  VisibleEvent,
  WrittenEvent,
} from './messages/events/read-events.ts';
export { createStartEventEpoch } from './messages/events/start-event-epoch.ts';
export type { AcceptedMessage } from './messages/acceptance/accepted-message.ts';
export type { AcceptResult, Refusal } from './messages/acceptance/insert-messages.ts';
export type { ClaimHint } from './messages/claims/claim-message.ts';
export type { ClaimedMessage, RowProvider } from './messages/claims/claim-messages.ts';
export {
  type LeaseState,
  type SessionAccount,
  type SessionLeaseStore,
  type SessionPlace,
  createSessionLeaseStore,
} from './provider-sessions/session-lease-store.ts';
export {
  type LongMessage,
  type LongMessagePart,
  type LongMessageStore,
  createLongMessageStore,
} from './session-deliveries/long-message-store.ts';
export {
  type SessionDeliveryStore,
  createSessionDeliveryStore,
} from './session-deliveries/session-delivery-store.ts';
export type { SessionClaims } from './messages/claims/session-claims.ts';
export type { AdvancedMessage } from './messages/changes/advance-messages.ts';
export type { TraceableRow } from './messages/rows/dispatch-row-columns.ts';
export { createDoubtReadyMessages } from './messages/changes/doubt-ready-messages.ts';
export {
  type Backlog,
  type MeasureBacklog,
  createMeasureBacklog,
} from './messages/backlog/measure-backlog.ts';
export { countMatches } from './messages/counts/count-matches.ts';
export {
  type ListMessages,
  type MessagePage,
  type ReadMessagesAfter,
  createListMessages,
  createReadMessagesAfter,
  readPage,
} from './messages/history/list-messages.ts';
export type { MessageFilter } from './messages/filters/message-filter.ts';
export {
  type MessageStore,
  type MessageStoreOptions,
  createMessageStore,
} from './messages/message-store.ts';
export type { Repeat } from './messages/history/list-repeats.ts';
export type { LookUpContext, LookUpContextQuery } from './messages/lookups/read-look-up-context.ts';
export type { MediaItem, StoredMessage } from './messages/rows/stored-message.ts';
export {
  createSurveyUnfinished,
  type Survey,
  type SurveyedMessage,
  type UnfinishedState,
  type WorkspaceBacklog,
} from './messages/backlog/survey-unfinished.ts';
export type { DueMessage, TakeDueOptions } from './messages/backlog/take-due-messages.ts';
export {
  type PhoneNumberStore,
  type StoredPhoneNumber,
  createPhoneNumberStore,
} from './phone-numbers/phone-number-store.ts';
export {
  type InboundNumber,
  type InboundStore,
  type InboundTurn,
  createInboundStore,
} from './providers/inbound-store.ts';
export {
  type OptOutStore,
  type StoredOptOut,
  createOptOutStore,
} from './opt-outs/opt-out-store.ts';
export {
  type CircuitBreakerStore,
  type PausedAccount,
  type ProbeTurn,
  createCircuitBreakerStore,
} from './providers/circuit-breaker-store.ts';
export {
  type ProcessStore,
  type RunningProcess,
  type SeenProcess,
  createProcessStore,
} from './processes/process-store.ts';
export { type ProcessReport, createProcessReport } from './processes/report-process.ts';
export type { SealedCredentials } from './providers/sealed-credentials.ts';
export {
  type ProviderStore,
  type StoredProvider,
  createProviderStore,
} from './providers/provider-store.ts';
export {
  type ProviderAccountChange,
  type ProviderAccountStore,
  createProviderAccountStore,
} from './providers/provider-account-store.ts';
export {
  type RouteReader,
  type UnroutedMessage,
  type WorkspaceRoutes,
  createRouteReader,
} from './routing/read-routes.ts';
export { type AccountShares, type CountShares, createCountShares } from './routing/count-shares.ts';
export { type RoutingStore, createRoutingStore } from './routing/routing-store.ts';
export {
  type ActiveSession,
  type SessionStore,
  type SignInMethod,
  type StoredSession,
  createSessionStore,
} from './sessions/session-store.ts';
export {
  type CountErrorCodes,
  type ErrorCodeCount,
  createCountErrorCodes,
} from './messages/counts/count-error-codes.ts';
export {
  type CountDeliveries,
  type DeliveryCount,
  createCountDeliveries,
} from './messages/counts/count-deliveries.ts';
export { findQuantile, middleOfClass } from './messages/counts/delivery-time.ts';
export { createAddUpCounts } from './messages/counts/add-up-counts.ts';
export { createStoreBreakdowns } from './messages/counts/store-breakdowns.ts';
export {
  type CountMessages,
  type CountQuery,
  type MessageCount,
  createCountMessages,
} from './messages/counts/count-messages.ts';
export { type SecondFactorStore, createSecondFactorStore } from './users/second-factor-store.ts';
export { type FactorSecretStore, createFactorSecretStore } from './users/factor-secrets.ts';
export { type AccountTokenStore, createAccountTokenStore } from './users/account-token-store.ts';
export { createRelayAccountChanges } from './users/account-changes.ts';
export {
  type AccountClosing,
  type CloseAccount,
  createCloseAccount,
} from './users/close-account.ts';
export { type NewUser, type User, type UserStore, createUserStore } from './users/user-store.ts';
export {
  type CloseWorkspace,
  type ClosedAccess,
  createCloseWorkspace,
} from './workspaces/close-workspace.ts';
export {
  type ClosingStore,
  type DueClosing,
  createClosingStore,
} from './workspaces/closing-store.ts';
export {
  type SessionUser,
  type WorkspaceStore,
  type WorkspaceSummary,
  createWorkspaceStore,
} from './workspaces/workspace-store.ts';
export {
  type ProviderProblem,
  type ProviderProblemStore,
  createProviderProblemStore,
} from './providers/provider-problem-store.ts';
export {
  type KeptCallback,
  type UnmatchedCallbackStore,
  createUnmatchedCallbackStore,
} from './unmatched-callbacks/unmatched-callback-store.ts';
export {
  type KeywordReplyStore,
  type StoredKeyword,
  type StoredKeywords,
  createKeywordReplyStore,
} from './keyword-replies/keyword-reply-store.ts';
export {
  type RetentionHorizons,
  type RetentionStore,
  isBlockedByOthers,
  withRetention,
} from './retention/retention-store.ts';
export { createShortenWaits, type ShortenWaits } from './messages/backlog/shorten-waits.ts';
export type { StoredWebhookEndpoint, WebhookTarget } from './webhooks/webhook-endpoint.ts';
export {
  type WebhookEndpointStore,
  createWebhookEndpointStore,
} from './webhooks/webhook-endpoint-store.ts';
export {
  type DeliveryStatus,
  type StoredDelivery,
  type WebhookDeliveryStore,
  createWebhookDeliveryStore,
} from './webhooks/webhook-delivery-store.ts';
export {
  type SealedWebhookSecrets,
  type WebhookSecretStore,
  createWebhookSecretStore,
} from './webhooks/webhook-secret-store.ts';
export {
  type WebhookOutboxStore,
  createWebhookOutboxStore,
} from './webhooks/webhook-outbox-store.ts';
export type { AttemptResult, DueDelivery } from './webhooks/due-deliveries.ts';
export type { EndpointHealth } from './webhooks/endpoint-health.ts';
export type { FinishedBatch, UndeliveredEvent, WebhookAttempt } from './webhooks/finish-batches.ts';
export type { NumberedEvent } from './webhooks/read-numbered-events.ts';
export type { BatchClaim, LeasedEndpoint } from './webhooks/webhook-outbox.ts';
export { type CreateTestWorkspace, createCreateTestWorkspace } from './workspaces/test-mode.ts';
