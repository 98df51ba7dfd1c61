export { SEARCH_MATCHES_MAX } from './search-limits.ts';
export { foldText } from './search/fold-text.ts';
export { isRareTerm, readWords, toSearchTerms, toTerms } from './search/read-words.ts';
export { toWordPattern } from './search/to-word-pattern.ts';
export { type AppErrorOptions, AppError, type ErrorCode } from './errors.ts';
export { CONTACT_LIMITS, type ContactExcess, findContactExcess } from './contact-limits.ts';
export {
  type IpNetwork,
  formatAddress,
  formatNetwork,
  LOOPBACK_NETWORKS,
  isInNetworks,
  isIpv4,
  parseAddress,
  parseNetwork,
  readNetworks,
  startOfNetwork,
} from './access/ip-network.ts';
export { ALL_SCOPES, KEY_SCOPES, type KeyScope, hasScope } from './access/key-scopes.ts';
export {
  PERMISSIONS,
  type Permission,
  ROLES,
  type Role,
  hasPermission,
} from './access/permissions.ts';
export { AUDIT_ACTIONS, type AuditAction } from './audit.ts';
export {
  type BackgroundBatchOptions,
  type BatchOptions,
  BatchFullError,
  GATHER_WHEN_BUSY,
  createBackgroundBatch,
  createBatch,
} from './batch.ts';
export { createFairTurns } from './fair-turns.ts';
export {
  type Direction,
  MESSAGE_STATUSES,
  type MessageStatus,
  isFinalStatus,
  isMessageStatus,
  type Outcome,
  outcomeOf,
} from './message-status.ts';
export {
  INTAKE_CONCURRENCY,
  POOL_SIZES,
  STATEMENT_TIMEOUT_MS,
  countConnections,
  countConsumerConnections,
} from './database-connections.ts';
export { E164_PATTERN, isPhoneNumber, maskPhoneNumber } from './phone-number.ts';
export {
  type Route,
  type RoutedMessage,
  chooseRoute,
  listRoutes,
} from './routing/choose-account.ts';
export { type RoutePreview, previewRoutes } from './routing/preview-routes.ts';
export type { RoutedAccount, Routing, RoutingRule } from './routing/routing.ts';
export {
  SENDER_KINDS,
  type SenderKind,
  ONE_DIGIT_COUNTRY_CODES,
  readCountryCode,
  readSenderKind,
  TWO_DIGIT_COUNTRY_CODES,
} from './routing/sender-kind.ts';
export { type Alternatives, NO_ALTERNATIVES, mayChangeAccount } from './dispatch/change-account.ts';
export { UNREADABLE_MEDIA, readMediaReference, toMediaReference } from './media/media-reference.ts';
export {
  MEDIA_MAX_BYTES,
  MEDIA_MAX_IN_WORDS,
  MEDIA_TYPES,
  MEDIA_TYPES_IN_WORDS,
  findTypeOfName,
} from './media/media-types.ts';
export { MENTION_RANGES_MAX, type Person, findMentions } from './mentions/find-mentions.ts';
export { type MentionRange, areRangesOf, renameMentions } from './mentions/mention-range.ts';
export { startsWord } from './mentions/word-limits.ts';
export { QUOTAS, quotaExceeded } from './quotas.ts';
export {
  type EventPosition,
  MAX_POSITION_BYTES,
  START_OF_EVENTS,
  advance,
  countBetween,
  covers,
  coversAll,
  lastIn,
  positionOf,
  readPosition,
  toSeqs,
  unite,
  writePosition,
} from './events/event-position.ts';
export { MAX_EVENT_SLOT, slotOf, startOfSlot } from './events/event-slot.ts';
export { type HeldEvents, createHeldEvents } from './events/hold-events.ts';
export { type OrderedEvent, type SlotPage, mergeEvents } from './events/merge-events.ts';
export { reconnectDelayMs } from './reconnect-delay.ts';
export { DEFAULT_KEYWORD_REPLIES } from './inbound/default-keyword-replies.ts';
export {
  type AdvanceByCallback,
  createAdvanceByCallback,
} from './callbacks/advance-by-callback.ts';
export {
  type CallbackResult,
  type RecordKeptCallback,
  type RecordStatusCallback,
  createRecordStatusCallback,
} from './callbacks/record-status-callback.ts';
export {
  type ReadText,
  type ReceiveInbound,
  type Received,
  type ReceivedKeyword,
  type ReceivedMessage,
  createReceiveInbound,
} from './inbound/receive-inbound.ts';
export { isStorable } from './is-storable.ts';
export type { Clock } from './ports/clock.ts';
export type { BusNotification, EventBus, Typing } from './ports/event-bus.ts';
export type {
  DispatchHint,
  HintConsumer,
  HintConsumerOptions,
  HintProducer,
} from './ports/message-queue.ts';
export type { InboundList, ListedInbound } from './ports/inbound-list.ts';
export type { InboundMessage } from './ports/inbound-message.ts';
export {
  type ConfigureInbound,
  type InboundResult,
  type ListedNumber,
  type ListedNumbers,
  type ListNumbers,
  MAX_LISTED_NUMBERS,
} from './ports/number-list.ts';
export type {
  AccountAddress,
  AttemptAddress,
  NumberHome,
  ProviderAccount,
} from './ports/provider-account.ts';
export type {
  InboundPart,
  ProviderSession,
  ProviderSessionState,
  ProviderSessions,
  SessionInbound,
  DeliveryProblem,
  ReportProblem,
  SessionReceiver,
} from './ports/provider-session.ts';
export { SECRET_FIELD } from './ports/provider-adapter.ts';
export type { AccountCheck } from './ports/account-check.ts';
export type {
  DescribedCredentials,
  NewCredentials,
  ProviderAdapter,
  SendRequest,
} from './ports/provider-adapter.ts';
export type {
  FetchMessage,
  FetchOutcome,
  LookUpOutcome,
  LookUpProof,
  MessageLookUp,
  ProviderEvidence,
} from './ports/message-look-up.ts';
export type {
  FetchMedia,
  MediaOutcome,
  ProviderWebhooks,
  WebhookOutcome,
  WebhookRequest,
} from './ports/provider-webhooks.ts';
export type { ProviderMessage } from './ports/provider-message.ts';
export type { RedactMessage, RedactOutcome } from './ports/redact-message.ts';
export type {
  NotSentReason,
  ProbeOutcome,
  CallOutcome,
  SendOutcome,
  WithheldReason,
} from './ports/send-outcome.ts';
export type { StatusCallback } from './ports/status-callback.ts';
export { type Gsm7Change, describeGsm7Change, preferGsm7 } from './prefer-gsm7.ts';
export {
  BODY_MAX_CHARACTERS,
  ENCODING_CHOICES,
  type Encoding,
  type EncodingChoice,
  type SegmentUse,
  type Segmentation,
  countSegments,
  describeSegments,
} from './segments.ts';
export { createShardedUuid, createUuidV7, isUuid, timeOfUuidV7 } from './uuid-v7.ts';
export {
  type AccountSignal,
  FAILURES_TO_OPEN,
  getProbeGapMs,
  provesResponse,
  readAccountSignal,
} from './dispatch/circuit-breaker.ts';
export { defaultOnUnknown, evidenceOf } from './dispatch/default-on-unknown.ts';
export { decideCancel } from './dispatch/decide-cancel.ts';
export { decideClose } from './dispatch/decide-close.ts';
export { type Doubts, type Rivals, decideLookUp } from './dispatch/decide-lookup.ts';
export { decideOutcome, decideUnknown } from './dispatch/decide-outcome.ts';
export { decidePoll } from './dispatch/decide-poll.ts';
export { type ProvedAccount, type StatusAdvance, planAdvance } from './dispatch/plan-advance.ts';
export { type DispatchPolicy, createDispatchPolicy } from './dispatch/dispatch-policy.ts';
export {
  type Change,
  type Decision,
  type DispatchFields,
  type DispatchRow,
  type DispatchState,
  type MessageEventType,
  type MessageKey,
  NO_CHANGE,
  type OnUnknown,
} from './dispatch/dispatch-row.ts';
export { mayBeAltered, containsText } from './dispatch/compare-texts.ts';
export { type ProviderReport, decideDirectEvidence } from './dispatch/evidence.ts';
export { toDecimalKey, toHexadecimalKey, toSidKey } from './dispatch/provider-identifier.ts';
export {
  type ApplyResult,
  type ChangeStore,
  type Reach,
  applyDecision,
} from './dispatch/apply-decision.ts';
export {
  type ReportDuplicate,
  type Transition,
  type TransitionOptions,
  type TransitionResult,
  createTransition,
} from './dispatch/transition.ts';
export {
  KEYWORDS,
  OWN_WORDS_MAX,
  OWN_WORD_MAX_CHARACTERS,
  type Keyword,
  type KeywordConflict,
  type OwnWords,
  indexOwnWords,
} from './keywords/find-keyword.ts';
export { COUNTRIES, isCountry } from './numbers/countries.ts';
export { dropOldPrefix } from './numbers/drop-old-prefix.ts';
export { type WrittenNumber, cleanNumber, toDigits } from './numbers/to-digits.ts';
export { ERASED, type HashErased, hashesOfSubscriber } from './numbers/erased.ts';
export { subscriberForms } from './numbers/subscriber-forms.ts';
export { normalizeKeyword } from './keywords/normalize-keyword.ts';
export { isResend, postponeResend } from './dispatch/postpone-resend.ts';
export { withinTime } from './within-time.ts';
export {
  type DisabledReason,
  DISABLED_REASONS,
  REPLAY_MAX_EVENTS,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_HISTORY_DAYS,
  WEBHOOK_SECRET_FIELD,
  type WebhookEventType,
  receivesType,
  webhookTypeOf,
} from './webhooks/webhook-events.ts';
export {
  type AttemptOutcome,
  MAX_HOLD_MS,
  decideDisable,
  decideRetry,
  holdAfterFailures,
  isDelivered,
  readRetryAfter,
} from './webhooks/decide-retry.ts';
export { deliveryIdOf, sequenceOfDelivery } from './webhooks/delivery-id.ts';
export {
  type Mode,
  MODES,
  liveWorkspaceOf,
  modeOf,
  testWorkspaceOf,
  workspaceInMode,
} from './workspace-mode.ts';
