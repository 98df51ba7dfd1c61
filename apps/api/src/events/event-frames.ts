import type { EventFrame } from '@switchboard/contracts';
import type { VisibleEvent } from '@switchboard/database';
import { toMessage } from '../wire/to-message.ts';
import { formatCursor } from './cursor.ts';

/** An event as it is sent: serialized once for all sockets. */
export interface SerializedEvent {
  seq: number;
  frame: Buffer;
}

export function serializeEvents(
  events: readonly VisibleEvent[],
  epoch: string | null,
): SerializedEvent[] {
  return events.map((event) => ({
    seq: event.seq,
    frame: serializeFrame(toEventFrame(event, epoch)),
  }));
}

export function serializeFrame(frame: EventFrame): Buffer {
  return Buffer.from(JSON.stringify(frame));
}

function toEventFrame(
  { workspaceId, seq, type, message }: VisibleEvent,
  epoch: string | null,
): EventFrame {
  const created = type === 'created' || type === 'scheduled' || type === 'received';
  return {
    type: created ? 'message.created' : 'message.updated',
    cursor: formatCursor(workspaceId, { epoch, seq }),
    workspace_id: workspaceId,
    message: toMessage(message),
  };
}
