import type { ProcessStore } from '@switchboard/database';
import type { SecretBox } from '@switchboard/runtime';
import { AUTH_TOKEN_FIELD } from '../open-provider.ts';

export type SealToken = (token: string, workspaceId: string) => Promise<string>;

/**
 * Seals a provider token so that every process that runs can open it. While SECRET_KEY is being
 * rotated some do not have the new key yet, and would refuse the workspace's next message.
 */
export function createSealToken(dependencies: {
  secretBox: Pick<SecretBox, 'seal'>;
  processes: Pick<ProcessStore, 'listRunning'>;
}): SealToken {
  const { secretBox, processes } = dependencies;

  return async function sealToken(token, workspaceId) {
    const readers = (await processes.listRunning()).map(({ keyIds }) => keyIds);
    return secretBox.seal(token, { workspaceId, field: AUTH_TOKEN_FIELD }, readers);
  };
}
