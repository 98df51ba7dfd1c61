import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BatchSend, SendBatch } from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import { fingerprintRequest } from '../idempotency.ts';

/** The checked sends of a batch, in order: a valid one, or the error of an invalid one. */
export interface BatchPlan {
  sends: (BatchSend | AppError)[];
  /** Equal for equal requests. */
  fingerprint: Buffer;
}

/** Other requests may wait for the event loop for this long. */
const TURN_MS = 10;

/** Checks the sends of a batch, in several turns of the event loop. `route` is that of a single send. */
export async function planBatch(batch: SendBatch, route: string): Promise<BatchPlan> {
  const sends: BatchPlan['sends'] = [];
  const hash = createHash('sha256').update(route);
  let turnBegan = performance.now();
  for (let index = 0; index < batch.count; index += 1) {
    const send = parse(batch, index);
    sends.push(send);
    hash.update(
      send instanceof AppError
        ? JSON.stringify([send.code, send.message])
        : JSON.stringify([send.key, fingerprintRequest(route, send.request).toString('base64')]),
    );
    if (performance.now() - turnBegan > TURN_MS) {
      await nextTurn();
      turnBegan = performance.now();
    }
  }
  return { sends, fingerprint: hash.digest() };
}

function parse(batch: SendBatch, index: number): BatchSend | AppError {
  try {
    return batch.parse(index);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
