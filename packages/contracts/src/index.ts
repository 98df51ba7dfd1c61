export {
  type ApiKey,
  type CreatedApiKey,
  apiKeyList,
  createdApiKey,
  parseExpiresAt,
  readAllowedIps,
} from './api-key.ts';
export { type AuditEntry, auditList, toAuditSelection } from './audit.ts';
export {
  type Contact,
  type ContactList,
  type ImportRefusal,
  contact,
  contactList,
} from './contact.ts';
export {
  type Conversation,
  type ConversationList,
  type Note,
  type NoteRequest,
  UNREAD_MAX,
  conversation,
  conversationList,
  note,
  noteList,
  parseNote,
} from './conversation.ts';
export { escapeFormula, unescapeFormula } from './csv-formula.ts';
export type { Instant } from './dates.ts';
export { COMPARED_AFTER_MS, type Delivery, type DeliveryPart, delivery } from './delivery.ts';
export { type ErrorCodes, errorCodes } from './error-codes.ts';
// Constants are separate from schemas, so that a web page can import them without zod.
export { CLOSE_CODES, EVENTS_SUBPROTOCOL, HEARTBEAT_SECONDS } from './event-protocol.ts';
export {
  CLIENT_FRAME_MAX_BYTES,
  type ClientFrame,
  type EventFrame,
  type HeartbeatFrame,
  type InboxFrame,
  clientFrame,
  eventFrame,
} from './frames.ts';
export {
  BODY_MAX_CHARACTERS,
  CONTACT_LIMITS,
  FILTER_VALUES_MAX,
  IMPORTED_CONTACTS_MAX,
  MEDIA_URLS_MAX,
  EVENTS_SHOWN,
  REFERENCE_MAX_CHARACTERS,
  REPEATS_SHOWN,
} from './limits.ts';
export {
  DEFAULT_KEYWORD_REPLIES,
  MEDIA_MAX_BYTES,
  MEDIA_TYPES,
  type Outcome,
  UNREADABLE_MEDIA,
  outcomeOf,
  COUNTRIES,
  cleanNumber,
  dropOldPrefix,
  type MentionRange,
  type Person,
  findMentions,
  isPhoneNumber,
  isStorable,
  startsWord,
  toDigits,
  readCountryCode,
  readMediaReference,
} from '@switchboard/core';
export type { KeywordReplies } from './keyword-replies.ts';
export {
  type HistoryFilter,
  type HistoryQuery,
  toHistoryFilter,
  toHistoryQuery,
  toListedWorkspace,
} from './list-messages.ts';
export { MESSAGE_COLUMNS, type MessageColumn } from './message-columns.ts';
export type { Me } from './me.ts';
export {
  type Invite,
  type InviteToken,
  type Member,
  inviteList,
  inviteToken,
  member,
  memberList,
  membership,
} from './member.ts';
export {
  type FoundMessages,
  type Message,
  type MessageEvent,
  type MessageList,
  type MessageWithEvents,
  foundMessages,
} from './message.ts';
export { ERASED, type Erasure } from './erasure.ts';
export { MANUAL_OPT_OUT, type OptOut, optOut, optOutList } from './opt-out.ts';
export { readOverlapMs } from './overlap.ts';
export type { PageResponse } from './page.ts';
export { parseBody } from './parse-request.ts';
export { trimName } from './plain-text.ts';
export {
  type PhoneNumber,
  type ProviderNumber,
  phoneNumber,
  phoneNumberList,
} from './phone-number.ts';
export { type Provider, provider } from './provider.ts';
export { type ProviderAccount } from './provider-account.ts';
export { parseProviderCredentials, withCredentialNames } from './provider-credentials.ts';
export type { Routing, RoutingPreview, RoutingShares } from './routing.ts';
export { PAGE_SIZE_DEFAULT, type RawQuery, parseQuery, toPaging } from './query.ts';
export { type SavedReply, savedReply, savedReplyList } from './saved-reply.ts';
export type { MediaFile } from './media-file.ts';
export { type SavedView, savedView, savedViewList } from './saved-view.ts';
export {
  type BatchResult,
  type BatchSend,
  type SendBatch,
  type SendBatchResponse,
} from './send-batch.ts';
export {
  type SendMessageResponse,
  type SendMessageRequest,
  parseScheduledAt,
  parseSendMessage,
} from './send-message.ts';
export { FACTOR_DETAILS, FACTOR_REQUIRED } from './factor-details.ts';
export { CLOSE_ACCOUNT_DETAILS, CLOSE_ACCOUNT_HIDDEN, describeOnlyOwner } from './close-account.ts';
export { type FactorCode, readFactorCode } from './second-factor.ts';
export { type Session, type SessionResponse, type SignUpRequest, sessionList } from './session.ts';
export { SIGN_ON_ERRORS, SIGN_ON_RESULTS, type SignOnErrorCode } from './sign-on-results.ts';
export { type Stats, type StatsQuery, listIntervals, stats, toStatsQuery } from './stats.ts';
export { type MemberWorkspace, type Workspace, parseCreateWorkspace } from './workspace.ts';
export { type MessageRecord, toMessage } from './to-message.ts';
export {
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookEndpoint,
} from './webhook-endpoint.ts';
export { type WebhookEvent, webhookEvent } from './webhook-event.ts';
export { exampleOf } from './openapi/example-of.ts';
export { type DocumentOptions, createOpenApiDocument } from './openapi/create-document.ts';
export type {
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  Response as OpenApiResponse,
} from './openapi/document.ts';
export { type Endpoint, type Routes, listEndpoints, routes } from './routes/all-routes.ts';
export {
  type RouteResponse,
  type Credential,
  type Method,
  type ProviderSignature,
  type Route,
  defineRoute,
  permissionOf,
} from './routes/define-route.ts';
export { OK } from './routes/ok.ts';
export { DETAILS } from './routes/details.ts';
export {
  FAILURE_DETAILS,
  describeExpiredKey,
  describeForbidden,
  describeSlowRead,
  listErrors,
} from './routes/list-errors.ts';
export { SLOW_READ } from './slow-read.ts';
export {
  type PathParameter,
  listPathParameters,
  pathParameters,
} from './routes/path-parameters.ts';
export { refuse } from './routes/refuse.ts';
export { IDEMPOTENCY_KEY_PATTERN, IDEMPOTENCY_KEY_RULE } from './idempotency-key.ts';
export { type NumberFormat, spaceNumber } from './export-format.ts';
// The parts of the domain that a web page needs; pages may import only this package.
export {
  ALL_SCOPES,
  type Direction,
  type ErrorCode,
  KEY_SCOPES,
  type KeyScope,
  MESSAGE_STATUSES,
  PERMISSIONS,
  type Permission,
  ROLES,
  type Role,
  hasPermission,
  hasScope,
  type MessageStatus,
  type Mode,
  type EncodingChoice,
  type Gsm7Change,
  type SegmentUse,
  describeGsm7Change,
  describeSegments,
  isFinalStatus,
  isMessageStatus,
  liveWorkspaceOf,
  modeOf,
  preferGsm7,
  readWords,
  testWorkspaceOf,
  toWordPattern,
} from '@switchboard/core';
export { readEmailAddress } from './email-address.ts';
