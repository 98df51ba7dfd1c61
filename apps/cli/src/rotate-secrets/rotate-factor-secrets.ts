import type { FactorSecretStore } from '@switchboard/database';
import { type SecretBox, SecretBoxError, ofTotpSecret } from '@switchboard/runtime';
import type { Rotation } from './rotate-secrets.ts';

const BATCH = 200;

type SealedFactor = Awaited<ReturnType<FactorSecretStore['listSealed']>>[number];

/** Encrypts the secrets of authenticator apps with the first key, as `rotateSecrets` does for providers. */
export async function rotateFactorSecrets(dependencies: {
  secrets: FactorSecretStore;
  secretBox: SecretBox;
  isDryRun: boolean;
}): Promise<Rotation> {
  const { secrets, secretBox, isDryRun } = dependencies;
  const rotation: Rotation = { total: 0, rotated: 0, unreadable: [] };
  let after: string | null = null;

  for (;;) {
    const sealed: SealedFactor[] = await secrets.listSealed(after, BATCH);
    const last = sealed.at(-1);
    if (last === undefined) return rotation;

    const results = sealed.map((factor) => sealAgain(secretBox, factor));
    const replacements = results
      .filter((result) => 'to' in result)
      .filter(({ from }) => !secretBox.isSealedByNewest(from));
    const replaced =
      replacements.length === 0 || isDryRun
        ? replacements.length
        : await secrets.replaceSealed(replacements);
    rotation.rotated += replaced;
    // A user has changed the factor since it was read.
    if (replaced < replacements.length) continue;

    rotation.total += sealed.length;
    rotation.unreadable.push(...results.filter((result) => 'reason' in result));
    after = last.userId;
  }
}

function sealAgain(
  secretBox: SecretBox,
  { userId, sealedSecret: from }: SealedFactor,
): { userId: string; from: string; to: string } | Rotation['unreadable'][number] {
  const owner = ofTotpSecret(userId);
  try {
    return { userId, from, to: secretBox.seal(secretBox.open(from, owner), owner) };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return { owner: `second factor of user ${userId}`, reason: error.message };
  }
}
