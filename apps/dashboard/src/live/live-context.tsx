import type { InboxFrame } from '@switchboard/contracts';
import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { ConnectionState } from './event-socket.ts';
import type { LiveBatch, LiveFeed } from './live-feed.ts';

const LiveFeedContext = createContext<LiveFeed | null>(null);

export const LiveFeedProvider = LiveFeedContext.Provider;

export function useLiveFeed(): LiveFeed {
  const feed = use(LiveFeedContext);
  if (feed === null) throw new Error('useLiveFeed requires a LiveFeedProvider above.');
  return feed;
}

export function useLiveBatch(onBatch: (batch: LiveBatch) => void): void {
  const feed = useLiveFeed();
  const listener = useEffectEvent(onBatch);
  useEffect(() => feed.subscribe((batch) => listener(batch)), [feed]);
}

export function useConnectionState(): ConnectionState {
  const feed = useLiveFeed();
  return useSyncExternalStore(feed.onState, feed.getState);
}

export function useInboxFrame(onFrame: (frame: InboxFrame) => void): void {
  const feed = useLiveFeed();
  const listener = useEffectEvent(onFrame);
  useEffect(() => feed.subscribeInbox((frame) => listener(frame)), [feed]);
}
