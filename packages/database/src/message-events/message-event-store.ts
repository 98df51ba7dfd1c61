import type { Database } from '../database.ts';
import { type TimelineEvent, listMessageEvents } from './list-message-events.ts';
import {
  type EventCounters,
  type EventPage,
  readCounters,
  readEventRange,
  readEvents,
} from './read-events.ts';

/** The events of each message and, by cursor, of each workspace. */
export interface MessageEventStore {
  listOfMessage(messageId: string): Promise<TimelineEvent[]>;
  read(
    positions: readonly { workspaceId: string; after: number }[],
    limit: number,
  ): Promise<Map<string, EventPage>>;
  readRange(workspaceId: string): Promise<{ first: number; last: number }>;
  readCounters(workspaceIds: readonly string[]): Promise<EventCounters>;
}

export function createMessageEventStore({ pool }: Pick<Database, 'pool'>): MessageEventStore {
  return {
    listOfMessage: (messageId) => listMessageEvents(pool, messageId),
    read: (positions, limit) => readEvents(pool, positions, limit),
    readRange: (workspaceId) => readEventRange(pool, workspaceId),
    readCounters: (workspaceIds) => readCounters(pool, workspaceIds),
  };
}
