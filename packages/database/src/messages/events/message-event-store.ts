import type { EventPosition, MessageKey } from '@switchboard/core';
import type { Database } from '../../database.ts';
import { type TimelineEvent, listMessageEvents } from './list-message-events.ts';
import { type EventCounters, type EventPage, readCounters, readEvents } from './read-events.ts';

/** The events of each message and, by cursor, of each workspace. */
export interface MessageEventStore {
  listOfMessage(key: MessageKey, limit: number): Promise<TimelineEvent[]>;
  read(
    feeds: readonly { workspaceId: string; after: EventPosition }[],
    limit: number,
  ): Promise<Map<string, EventPage>>;
  readCounters(workspaceIds: readonly string[]): Promise<EventCounters>;
}

export function createMessageEventStore({ pool }: Pick<Database, 'pool'>): MessageEventStore {
  return {
    listOfMessage: (key, limit) => listMessageEvents(pool, key, limit),
    read: (feeds, limit) => readEvents(pool, feeds, limit),
    readCounters: (workspaceIds) => readCounters(pool, workspaceIds),
  };
}
