import type { ProviderStore, SealedCredentials } from '@switchboard/database';
import { type SecretBox, SecretBoxError } from '@switchboard/runtime';

const BATCH = 200;

export interface Rotation {
  /** Credentials there are. */
  total: number;
  /** Of these, sealed anew by us. */
  rotated: number;
  unreadable: { workspaceId: string; reason: string }[];
}

/**
 * Seals what older keys sealed with the newest. A batch is one statement, and replaces only what
 * is still what was read: what an owner or another run sets meanwhile is read again.
 */
export async function rotateSecrets(dependencies: {
  providers: Pick<ProviderStore, 'listSealed' | 'replaceSealed'>;
  secretBox: SecretBox;
}): Promise<Rotation> {
  const { providers, secretBox } = dependencies;
  const rotation: Rotation = { total: 0, rotated: 0, unreadable: [] };
  let after: string | null = null;

  for (;;) {
    const sealed: SealedCredentials[] = await providers.listSealed(after, BATCH);
    const last = sealed.at(-1);
    if (last === undefined) return rotation;

    const results = sealed
      .filter(({ authTokenEncrypted }) => !secretBox.isSealedByNewest(authTokenEncrypted))
      .map((old) => sealAnew(secretBox, old));
    const replacements = results.filter((result) => 'to' in result);
    const replaced = replacements.length > 0 ? await providers.replaceSealed(replacements) : 0;
    rotation.rotated += replaced;
    if (replaced < replacements.length) continue;

    rotation.total += sealed.length;
    rotation.unreadable.push(...results.filter((result) => 'reason' in result));
    after = last.workspaceId;
  }
}

function sealAnew(
  secretBox: SecretBox,
  { workspaceId, authTokenEncrypted: from }: SealedCredentials,
): { workspaceId: string; from: string; to: string } | { workspaceId: string; reason: string } {
  const owner = { workspaceId, field: 'auth_token' };
  try {
    return { workspaceId, from, to: secretBox.seal(secretBox.open(from, owner), owner) };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return { workspaceId, reason: error.message };
  }
}
