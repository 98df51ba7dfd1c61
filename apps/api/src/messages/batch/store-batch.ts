import type { BatchResult, BatchSend } from '@switchboard/contracts';
import { AppError, createFairTurns } from '@switchboard/core';
import { describeFailure } from '../../http/handle-errors.ts';
import { ERROR_STATUS } from '../../http/error-status.ts';
import type { AcceptInput, AcceptMessage } from '../accept-message.ts';
import { type LookUpDependencies, createLookUpEach } from '../look-up-each.ts';
import type { BatchOutcome } from './batch-keys.ts';

/** So many sends of one workspace are processed at a time, half of what one statement stores. */
const PART_SENDS = 100;
/** So many parts are processed at a time: a single send waits for as many sends as two statements store. */
const PARTS = 4;

const NOT_TRIED = new AppError(
  'service_unavailable',
  'Not tried, because the sends before this one could not be stored; repeat the batch',
);

export interface StoreBatchInput extends Pick<
  AcceptInput,
  'workspaceId' | 'actor' | 'requestId' | 'traceParent' | 'route'
> {
  /** The sends in order, and the errors of those that are refused already. */
  sends: readonly (BatchSend | AppError)[];
  /** The Idempotency-Key of the batch. Null if it has none. */
  batchKey: string | null;
  /** Called once if sends failed. */
  onFailed(error: AppError, count: number): void;
}

export type StoreBatch = (input: StoreBatchInput) => Promise<BatchOutcome>;

/**
 * Creates the function that accepts the sends of a batch as single sends that arrive together, which share the statements
 * that store them. They do so in parts, one of each workspace at a time, so that neither a batch nor many batches of
 * one workspace delay the sends of others.
 */
export function createStoreBatch(
  acceptMessage: AcceptMessage,
  dependencies: LookUpDependencies,
): StoreBatch {
  const takeTurn = createFairTurns(PARTS);

  return async function storeBatch(input) {
    const outcomes = new Map<number, BatchResult | AppError>();
    for (const part of splitSends(input.sends)) {
      const lookups = createLookUpEach(dependencies, input.workspaceId);
      const done = await takeTurn(input.workspaceId, () =>
        Promise.all(part.map(({ index, send }) => attempt(input, index, send, lookups))),
      );
      part.forEach(({ index }, at) => outcomes.set(index, done[at] ?? NOT_TRIED));
      // Each further part would probably wait as long, and fail too.
      if (done.every(isFailure)) break;
    }
    const all = [...outcomes.values()];
    const failures = all.filter(isFailure);
    const [failure] = failures;
    if (failure !== undefined) {
      input.onFailed(failure, failures.length);
      // A message that may be stored weighs more than one that certainly is not.
      if (all.every((outcome) => outcome instanceof AppError))
        throw failures.find(({ code }) => code === 'send_failed') ?? failure;
    }
    const results = input.sends.map((send, index) =>
      toResult(send instanceof AppError ? send : (outcomes.get(index) ?? NOT_TRIED)),
    );
    return { response: { results }, isFinal: failure === undefined };
  };

  async function attempt(
    { sends: _sends, batchKey, onFailed: _onFailed, ...shared }: StoreBatchInput,
    index: number,
    { request, key }: BatchSend,
    lookups: AcceptInput['lookups'],
  ): Promise<BatchResult | AppError> {
    try {
      // Without keys of its own, a repeated batch would store again what its first request has stored. No client
      // can send a key with a line break.
      const derivedKey = batchKey === null ? null : `${batchKey}\n${index}`;
      const idempotencyKey = key ?? derivedKey;
      const input = { ...shared, request, idempotencyKey, waitSeconds: 0 };
      return (await acceptMessage({ ...input, ...(lookups && { lookups }) })).response;
    } catch (error) {
      return describeFailure(error, 'send_failed');
    }
  }
}

/** Returns whether an error is not about the send: the key of the request has ended, or nothing could be stored. */
function isFailure(outcome: BatchResult | AppError): outcome is AppError {
  if (!(outcome instanceof AppError)) return false;
  return outcome.code === 'unauthorized' || ERROR_STATUS[outcome.code] >= 500;
}

function toResult(outcome: BatchResult | AppError): BatchResult {
  if (!(outcome instanceof AppError)) return outcome;
  return { error: outcome.code, detail: outcome.message };
}

interface IndexedSend {
  index: number;
  send: BatchSend;
}

/** Splits sends into parts. A key is in a part once, so that the order decides between two sends with one key. */
function* splitSends(sends: StoreBatchInput['sends']): Generator<IndexedSend[]> {
  let part: IndexedSend[] = [];
  let keys = new Set<string>();
  for (const [index, send] of sends.entries()) {
    if (send instanceof AppError) continue;
    const isRepeated = send.key !== null && keys.has(send.key);
    if (part.length === PART_SENDS || isRepeated) {
      yield part;
      [part, keys] = [[], new Set()];
    }
    part.push({ index, send });
    if (send.key !== null) keys.add(send.key);
  }
  if (part.length > 0) yield part;
}
