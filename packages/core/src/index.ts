export { type AppErrorOptions, AppError, type ErrorCode } from './errors.ts';
export { type BatchOptions, BatchFullError, createBatch } from './batch.ts';
export {
  type Direction,
  MESSAGE_STATUSES,
  type MessageStatus,
  isFinalStatus,
  isMessageStatus,
  mergeStatus,
  statusRank,
} from './message-status.ts';
export { isPhoneNumber, maskPhoneNumber } from './phone-number.ts';
export type { Clock } from './ports/clock.ts';
export type { BusNotice, EventBus } from './ports/event-bus.ts';
export type {
  DispatchHint,
  HintConsumer,
  HintConsumerOptions,
  HintProducer,
} from './ports/message-queue.ts';
export type {
  FetchOutcome,
  InboundMessage,
  LookUpOutcome,
  NotSentReason,
  ProviderAccount,
  ProviderAdapter,
  ProviderMessage,
  SendOutcome,
  SendRequest,
  SignedRequest,
  StatusCallback,
} from './ports/provider-adapter.ts';
export { type Encoding, type Segmentation, countSegments } from './segments.ts';
export { createUuidV7, isUuid, timeOfUuidV7 } from './uuid-v7.ts';
