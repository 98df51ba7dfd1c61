import {
  type SendMessageResponse,
  type SendMessageRequest,
  parseScheduledAt,
  refuse,
  routes,
} from '@switchboard/contracts';
import {
  AppError,
  type BusNotification,
  type Clock,
  type DispatchHint,
  QUOTAS,
  countSegments,
  createUuidV7,
  isFinalStatus,
  modeOf,
} from '@switchboard/core';
import type {
  Actor,
  IdempotencyStore,
  MessageStore,
  Refusal,
  StoredAnswer,
  StoredMessage,
} from '@switchboard/database';
import { type Tracer, endWith } from '@switchboard/runtime';
import type { CountTestMessage } from '../count-test-messages.ts';
import { invalidApiKey } from '../auth/check-api-key.ts';
import { createWorkspaceSlots } from '../workspace-slots.ts';
import { fingerprintRequest, replayResponse } from './idempotency.ts';
import type { SendLookups } from './look-up-each.ts';
import type { MessageWaiter } from './message-waiter.ts';
import { type PollFirstResponse, createPollFirstResponses } from './poll-first-responses.ts';
import type { UseMedia } from './use-media.ts';

export interface AcceptDependencies {
  messages: Pick<MessageStore, 'accept' | 'find'>;
  idempotency: Pick<IdempotencyStore, 'find' | 'keepResponse'>;
  useMedia: UseMedia;
  /** Must not delay or fail the response; the sweeper finds messages whose hint is lost. */
  hintLater(hint: DispatchHint, traceParent: string | null): void;
  publishLater(notification: BusNotification): void;
  countTestMessage: CountTestMessage;
  waiter: MessageWaiter;
  /** Called with an error of a wait for the provider. The request still succeeds. */
  onWaitFailed(error: unknown): void;
  clock: Clock;
  tracer: Tracer | null;
}

export interface AcceptInput {
  workspaceId: string;
  /** An API key must still be valid when the message is stored. */
  actor: Exclude<Actor, { kind: 'operator' }>;
  requestId: string;
  /** The context of the request's span, while it is traced. */
  traceParent: string | null;
  /** Names the route in the Idempotency-Key's fingerprint. */
  route: string;
  request: SendMessageRequest;
  idempotencyKey: string | null;
  /** How long the response may wait for the provider; with 0, it is sent immediately. */
  waitSeconds: number;
  /** What the sends of a batch look up together. A single send looks it up itself. */
  lookups?: SendLookups;
}

export interface Accepted {
  response: SendMessageResponse;
  replayed: boolean;
  /** False if the request prefers to wait, but too many requests of its workspace already wait. */
  isWaitGranted: boolean;
}

/** How often a waiting request reads the row, in case a notification was lost. */
const WAIT_POLL_MS = 500;

export type AcceptMessage = ReturnType<typeof createAcceptMessage>;

/** Accepts a message: checks the rules, stores the row, queues the hint, and responds. */
export function createAcceptMessage(dependencies: AcceptDependencies) {
  const { messages, idempotency, clock } = dependencies;
  const ownLookups: SendLookups = {
    findKey: idempotency.find,
    findMessage: messages.find,
    useMedia: dependencies.useMedia,
  };
  const slots = createWorkspaceSlots(QUOTAS.waitsPerWorkspace);
  const waits: ReplayWaits = {
    slots,
    pollFirstResponse: createPollFirstResponses({ isEnding: dependencies.waiter.hasEnded }),
  };

  return async function acceptMessage(input: AcceptInput): Promise<Accepted> {
    const isWaitGranted = input.waitSeconds === 0 || slots.enter(input.workspaceId);
    if (!isWaitGranted) return { ...(await accept({ ...input, waitSeconds: 0 })), isWaitGranted };
    try {
      return { ...(await accept(input)), isWaitGranted };
    } finally {
      if (input.waitSeconds > 0) slots.leave(input.workspaceId);
    }
  };

  async function accept(input: AcceptInput): Promise<Omit<Accepted, 'isWaitGranted'>> {
    const { workspaceId, request, idempotencyKey, lookups = ownLookups } = input;
    const usedKey =
      idempotencyKey === null
        ? null
        : { key: idempotencyKey, fingerprint: fingerprintRequest(input.route, request) };

    const replayKey = async (key: NonNullable<typeof usedKey>) => {
      const stored = await lookups.findKey(workspaceId, key.key);
      return stored === null ? null : replay(dependencies, waits, input, { ...key, stored });
    };
    const replayed = usedKey === null ? null : await replayKey(usedKey);
    if (replayed !== null) return replayed;

    const repeatOf =
      request.repeat_of === undefined
        ? null
        : await findFirst(lookups, workspaceId, request.repeat_of);
    const createdAt = clock.now();
    const scheduledAt = parseScheduledAt(request.scheduled_at, createdAt);
    const id = createUuidV7(createdAt);
    if (modeOf(workspaceId) === 'test') await dependencies.countTestMessage(workspaceId);
    const media = await lookups.useMedia(workspaceId, id, request.media_urls ?? []);
    const response: SendMessageResponse = {
      id,
      sid: id,
      status: scheduledAt === null ? 'queued' : 'scheduled',
    };
    const isWaiting = input.waitSeconds > 0 && scheduledAt === null;
    const span = dependencies.tracer?.startSpan('accept message', {
      parent: input.traceParent,
      attributes: { 'switchboard.message_id': id, 'switchboard.workspace_id': workspaceId },
    });
    // Stored in the row, so that the worker continues its trace.
    const traceParent = span?.traceParent ?? null;
    const accepting = messages.accept({
      id,
      createdAt: new Date(createdAt),
      workspaceId,
      to: request.to,
      from: request.from ?? null,
      body: request.body,
      media,
      segments: countSegments(request.body).segments,
      scheduledAt,
      requestId: input.requestId,
      traceParent,
      ...toSender(input.actor),
      repeatOf,
      reference: request.reference ?? null,
      metadata: request.metadata ?? null,
      encoding: request.encoding ?? null,
      isHeldToRules: true,
      idempotency: usedKey === null ? null : { ...usedKey, response: isWaiting ? null : response },
    });
    const result = await endWith(span, accepting);
    if (result.kind === 'refused') throw describeRefusal(result.refusal);
    if (result.kind === 'key_taken') {
      // A concurrent request with the key was first. If the key has expired since, this request is
      // processed again.
      const first = usedKey === null ? null : await replayKey(usedKey);
      return first ?? accept(input);
    }

    if (scheduledAt === null) {
      const hint = { messageId: id, workspaceId, requestId: input.requestId };
      dependencies.hintLater(hint, traceParent);
    }
    dependencies.publishLater({ kind: 'message', workspaceId, messageId: id, seq: result.seq });
    if (!isWaiting) return { response, replayed: false };

    try {
      const waitMs = input.waitSeconds * 1000;
      const waited = await waitForProvider(dependencies, workspaceId, id, waitMs);
      if (idempotencyKey === null) return { response: waited, replayed: false };
      const kept = await idempotency.keepResponse(workspaceId, idempotencyKey, waited);
      return { response: kept as SendMessageResponse, replayed: false };
    } catch (cause) {
      // The row is stored, so no later failure may be reported as if it were not.
      if (idempotencyKey === null) {
        dependencies.onWaitFailed(cause);
        return { response, replayed: false };
      }
      const detail =
        'The message is stored; retry with the same Idempotency-Key for the final response';
      throw new AppError('send_failed', detail, { cause });
    }
  }
}

interface ReplayWaits {
  slots: ReturnType<typeof createWorkspaceSlots>;
  pollFirstResponse: PollFirstResponse;
}

/** Returns the response to the request that used the key first. */
async function replay(
  dependencies: AcceptDependencies,
  { slots, pollFirstResponse }: ReplayWaits,
  { workspaceId, waitSeconds }: AcceptInput,
  { key, fingerprint, stored }: { key: string; fingerprint: Buffer; stored: StoredAnswer },
): Promise<Omit<Accepted, 'isWaitGranted'>> {
  // A request that waits itself already has a slot.
  const needsSlot = stored.response === null && waitSeconds === 0;
  if (needsSlot && !slots.enter(workspaceId)) throw tooManyWaiting();
  const replaying = replayResponse({
    pollFirstResponse,
    store: dependencies.idempotency,
    workspaceId,
    key,
    fingerprint,
    stored,
    waitSeconds,
    findProvidersResponse: async (messageId) => {
      const message = await dependencies.messages.find(workspaceId, messageId);
      return message !== null && hasProviderResponded(message) ? toResponse(message) : null;
    },
    respondNow: (messageId) => waitForProvider(dependencies, workspaceId, messageId, 0),
  });
  const response = await replaying.finally(() => {
    if (needsSlot) slots.leave(workspaceId);
  });
  return { response, replayed: true };
}

function tooManyWaiting(): AppError {
  const detail =
    'Too many requests of the workspace are waiting for a response; retry with the same Idempotency-Key';
  return new AppError('service_unavailable', detail, { retryAfterSeconds: 1 });
}

/** Finds the original of the message that a request repeats, which may itself be a repeat. */
async function findFirst(
  { findMessage }: SendLookups,
  workspaceId: string,
  repeated: string,
): Promise<string> {
  const message = await findMessage(workspaceId, repeated);
  if (message?.direction !== 'outbound') {
    throw new AppError(
      'invalid_params',
      '`repeat_of` must be the id of an outbound message of this workspace',
    );
  }
  return message.repeatOf ?? message.id;
}

function toSender(actor: AcceptInput['actor']) {
  return actor.kind === 'api_key'
    ? { apiKeyId: actor.apiKeyId, apiKeyVersion: actor.keyVersion }
    : { sentBy: { kind: actor.kind, id: actor.userId } };
}

function describeRefusal(refusal: Refusal): AppError {
  switch (refusal) {
    case 'key_ended':
      return invalidApiKey();
    case 'provider_not_configured':
      return refuse(routes.sendMessage, 'provider_not_configured');
    case 'foreign_sender':
      return refuse(routes.sendMessage, 'forbidden');
    case 'no_sender':
      return refuse(routes.sendMessage, 'sender_not_configured');
    case 'recipient_opted_out':
      return refuse(routes.sendMessage, 'recipient_opted_out');
  }
}

/** Returns the response after the provider has answered or the wait has timed out. */
async function waitForProvider(
  { messages, waiter, clock }: Pick<AcceptDependencies, 'messages' | 'waiter' | 'clock'>,
  workspaceId: string,
  messageId: string,
  timeoutMs: number,
): Promise<SendMessageResponse> {
  const deadline = clock.monotonic() + timeoutMs;
  for (;;) {
    // Listening starts before the row is read, so that no event in between is missed.
    const remainingMs = waiter.hasEnded() ? 0 : deadline - clock.monotonic();
    const event =
      remainingMs > 0 ? waiter.waitForEvent(messageId, Math.min(WAIT_POLL_MS, remainingMs)) : null;
    const message = await messages.find(workspaceId, messageId);
    if (message === null) throw new AppError('send_failed', 'The message no longer exists');
    if (event === null || hasProviderResponded(message)) return toResponse(message);
    await event;
  }
}

function hasProviderResponded(message: StoredMessage): boolean {
  return message.providerSid !== null || isFinalStatus(message.status);
}

function toResponse(message: StoredMessage): SendMessageResponse {
  return { id: message.id, sid: message.providerSid ?? message.id, status: message.status };
}
