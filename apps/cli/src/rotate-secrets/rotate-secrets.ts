import { SECRET_FIELD } from '@switchboard/core';
import type { ProviderStore, SealedCredentials } from '@switchboard/database';
import { type SecretBox, SecretBoxError } from '@switchboard/runtime';

const BATCH = 200;

export interface Rotation {
  /** All credentials in the database. */
  total: number;
  /**
   * The credentials that this run encrypted with the first key, or would encrypt without
   * `isDryRun`.
   */
  rotated: number;
  /** `owner`: for example `workspace` or `user` with its id. */
  unreadable: { owner: string; reason: string }[];
}

/**
 * Encrypts credentials that are sealed with an older key with the first key. One statement writes a
 * batch, and replaces a row only if the row is unchanged since it was read. If an owner or another run
 * has changed a row, the batch is read again.
 */
export async function rotateSecrets(dependencies: {
  providers: Pick<ProviderStore, 'listSealed' | 'replaceSealed'>;
  secretBox: SecretBox;
  isDryRun: boolean;
}): Promise<Rotation> {
  const { providers, secretBox, isDryRun } = dependencies;
  const rotation: Rotation = { total: 0, rotated: 0, unreadable: [] };
  let after: string | null = null;

  for (;;) {
    const sealed: (SealedCredentials & { id: string })[] = await providers.listSealed(after, BATCH);
    const last = sealed.at(-1);
    if (last === undefined) return rotation;

    // Credentials with the first key's version are decrypted too, because another key may have had it.
    const results = sealed.map((old) => sealAgain(secretBox, old));
    const replacements = results
      .filter((result) => 'to' in result)
      .filter(({ from }) => !secretBox.isSealedByNewest(from));
    const replaced =
      replacements.length === 0 || isDryRun
        ? replacements.length
        : await providers.replaceSealed(replacements);
    rotation.rotated += replaced;
    if (replaced < replacements.length) continue;

    rotation.total += sealed.length;
    rotation.unreadable.push(...results.filter((result) => 'reason' in result));
    after = last.id;
  }
}

function sealAgain(
  secretBox: SecretBox,
  { workspaceId, sealedSecret: from }: SealedCredentials,
): { workspaceId: string; from: string; to: string } | Rotation['unreadable'][number] {
  const owner = { workspaceId, field: SECRET_FIELD };
  try {
    return { workspaceId, from, to: secretBox.seal(secretBox.open(from, owner), owner) };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return { owner: `workspace ${workspaceId}`, reason: error.message };
  }
}
