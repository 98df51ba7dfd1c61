import type { ProcessStore } from '@switchboard/database';
import type { SecretBox, SecretOwner } from '@switchboard/runtime';

export type SealSecret = (secret: string, ownerId: string) => Promise<string>;

/**
 * Creates a function that seals secrets of workspaces or users so that every running process can open them. During a rotation of
 * SECRET_KEY, some processes do not have the new key yet and would fail the workspace's next
 * message.
 */
export function createSealSecret(
  dependencies: {
    secretBox: Pick<SecretBox, 'seal'>;
    processes: Pick<ProcessStore, 'listRunning'>;
  },
  toOwner: (ownerId: string) => SecretOwner,
): SealSecret {
  const { secretBox, processes } = dependencies;

  return async function sealSecret(secret, ownerId) {
    const readers = (await processes.listRunning()).map(({ keyIds }) => keyIds);
    return secretBox.seal(secret, toOwner(ownerId), readers);
  };
}
