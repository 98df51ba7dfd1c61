/** Limits how many things of one kind a workspace does in this process at the same time. */
export function createWorkspaceSlots(quota: number) {
  const used = new Map<string, number>();
  return {
    /** Returns false if the quota is used up. */
    enter(workspaceId: string): boolean {
      const number = used.get(workspaceId) ?? 0;
      if (number >= quota) return false;
      used.set(workspaceId, number + 1);
      return true;
    },
    leave(workspaceId: string): void {
      const number = (used.get(workspaceId) ?? 0) - 1;
      if (number <= 0) used.delete(workspaceId);
      else used.set(workspaceId, number);
    },
  };
}
