/** Limits how many requests of one workspace wait in this process at the same time. */
export function createWaitSlots(quota: number) {
  const waiting = new Map<string, number>();
  return {
    /** Returns false if the quota is used up: the request must not wait. */
    enter(workspaceId: string): boolean {
      const number = waiting.get(workspaceId) ?? 0;
      if (number >= quota) return false;
      waiting.set(workspaceId, number + 1);
      return true;
    },
    leave(workspaceId: string): void {
      const number = (waiting.get(workspaceId) ?? 0) - 1;
      if (number <= 0) waiting.delete(workspaceId);
      else waiting.set(workspaceId, number);
    },
  };
}
