import { Readable } from 'node:stream';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { refuse, routes } from '@switchboard/contracts';
import { QUOTAS } from '@switchboard/core';
import type { FastifyReply } from 'fastify';
import { createWorkspaceSlots } from '../workspace-slots.ts';

/** A client that reads nothing for this time is disconnected. */
const READER_TIMEOUT_MS = 60_000;
const WAIT_PER_BUSY_TIME = 2;
const MAX_WAIT_MS = 250;

export interface Table {
  workspaceId: string;
  fileName: string;
  /** Reads the table part by part. A part takes a few milliseconds of CPU time, and none is empty. */
  parts: AsyncGenerator<string, void, undefined>;
}

export type SendTable = (reply: FastifyReply, table: Table) => Readable;

/**
 * Creates the function that responds with a table as CSV. It reads a part only after the client has
 * read the previous one, and stops reading when the client disconnects.
 */
export function createSendTable({ readerTimeoutMs = READER_TIMEOUT_MS } = {}): SendTable {
  const slots = createWorkspaceSlots(QUOTAS.exportsPerWorkspace);

  return (reply, { workspaceId, fileName, parts }) => {
    if (!slots.enter(workspaceId)) {
      throw refuse(routes.exportContacts, 'quota_exceeded');
    }
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
    });
    reply.raw.setTimeout(readerTimeoutMs, () => reply.raw.destroy());
    const table = Readable.from(inTurns(parts), { objectMode: false });
    // A query that runs when the client disconnects counts toward the quota until it ends.
    table.once('close', () => slots.leave(workspaceId));
    return table;
  };
}

/**
 * After each part, waits twice as long as the event loop was busy since the part before. So all exports
 * of this process together leave it most of its time, and continue slowly while requests need it.
 */
async function* inTurns(parts: Table['parts']): Table['parts'] {
  let before = performance.eventLoopUtilization();
  for await (const part of parts) {
    yield part;
    const now = performance.eventLoopUtilization();
    const { active } = performance.eventLoopUtilization(now, before);
    before = now;
    await delay(Math.min(active * WAIT_PER_BUSY_TIME, MAX_WAIT_MS));
  }
}
