import type { ProcessStore } from '@switchboard/database';

/**
 * Returns the processes that do not encrypt with the key `keyId` yet. After a rotation, these processes
 * could not decrypt the credentials, or would encrypt changed credentials with the older key again.
 */
export async function findUnreadyProcesses(
  processes: Pick<ProcessStore, 'listRunning'>,
  keyId: string,
): Promise<string[]> {
  const running = await processes.listRunning();
  return running
    .filter(({ keyIds }) => keyIds[0] !== keyId)
    .map(({ role, host, pid, keyIds, seenMsAgo }) => {
      const has = keyIds.includes(keyId) ? 'has the newest key, but not first' : 'lacks the key';
      return `${role}, process ${pid} on ${host}: ${has} (last report ${Math.round(seenMsAgo / 1_000)} s ago)`;
    });
}
