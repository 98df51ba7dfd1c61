import type { ProcessStore } from '@switchboard/database';
import type { SecretBox } from '@switchboard/runtime';

export type SealSecret = (secret: string, workspaceId: string) => Promise<string>;

/**
 * Creates a function that seals secrets of workspaces so that every running process can open them. During a rotation of
 * SECRET_KEY, some processes do not have the new key yet and would fail the workspace's next
 * message.
 */
export function createSealSecret(
  dependencies: {
    secretBox: Pick<SecretBox, 'seal'>;
    processes: Pick<ProcessStore, 'listRunning'>;
  },
  field: string,
): SealSecret {
  const { secretBox, processes } = dependencies;

  return async function sealSecret(secret, workspaceId) {
    const readers = (await processes.listRunning()).map(({ keyIds }) => keyIds);
    return secretBox.seal(secret, { workspaceId, field }, readers);
  };
}
