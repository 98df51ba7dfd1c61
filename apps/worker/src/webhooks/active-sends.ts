import type { WebhookOutboxStore } from '@switchboard/database';

interface ActiveSend {
  workspaceId: string;
  id: string;
  revision: number;
  isStopped: boolean;
}

export type ActiveSends = ReturnType<typeof createActiveSends>;

/**
 * Tracks the endpoints that this worker is sending to, so that no attempt starts after an endpoint was
 * disabled, changed or deleted.
 */
export function createActiveSends(store: Pick<WebhookOutboxStore, 'listUnchanged'>) {
  const active = new Set<ActiveSend>();

  return {
    begin({ workspaceId, id, revision }: Omit<ActiveSend, 'isStopped'>) {
      const entry: ActiveSend = { workspaceId, id, revision, isStopped: false };
      active.add(entry);
      return {
        isStopped: () => entry.isStopped,
        end: () => void active.delete(entry),
      };
    },
    /** Stops the sends to endpoints that were disabled, changed or deleted. */
    async check(): Promise<void> {
      if (active.size === 0) return;
      const checked = [...active];
      const unchanged = await store.listUnchanged(checked);
      for (const entry of checked) if (!unchanged.has(entry.id)) entry.isStopped = true;
    },
    stopAll(): void {
      for (const entry of active) entry.isStopped = true;
    },
  };
}
