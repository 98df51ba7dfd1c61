import type { ProviderStore } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import { type SecretBox, SecretBoxError } from '@switchboard/runtime';
import { type Finding, describeFailure } from './finding.ts';

const AT_ONCE = 8;

export interface CheckProvidersDependencies {
  providers: Pick<ProviderStore, 'find' | 'listSealed'>;
  registry: Pick<ProviderRegistry, 'get'>;
  secretBox: Pick<SecretBox, 'open'>;
}

/** Asks each workspace's provider whether its account can send. One line for all that can. */
export async function checkProviders(deps: CheckProvidersDependencies): Promise<Finding[]> {
  const findings: Finding[] = [];
  let asked = 0;
  let afterId: string | null = null;
  for (;;) {
    const page = await deps.providers.listSealed(afterId, AT_ONCE);
    const results = await Promise.all(page.map(({ workspaceId }) => checkOne(deps, workspaceId)));
    findings.push(...results.filter((finding) => finding !== null));
    asked += page.length;
    afterId = page.at(-1)?.workspaceId ?? null;
    if (page.length < AT_ONCE) break;
  }
  const good = `${asked - findings.length} of ${asked} workspaces' credentials are good.`;
  const text = asked === 0 ? 'No workspace has a provider yet.' : good;
  return [{ verdict: 'good', part: 'providers', text }, ...findings];
}

/** Null when all is well. */
async function checkOne(
  { providers, registry, secretBox }: CheckProvidersDependencies,
  workspaceId: string,
): Promise<Finding | null> {
  const bad = (text: string): Finding => ({
    verdict: 'bad',
    part: 'provider',
    text: `Workspace ${workspaceId}: ${text}`,
  });
  const provider = await providers.find(workspaceId);
  // Its owner has removed it since.
  if (provider === null) return null;
  const adapter = registry.get(provider.type);
  if (adapter === null) {
    return bad(`this version has no adapter for "${provider.type}": have its owner set another.`);
  }
  try {
    const { accountSid, messagingServiceSid, authTokenEncrypted } = provider;
    const authToken = secretBox.open(authTokenEncrypted, { workspaceId, field: 'auth_token' });
    const { ok, detail } = await adapter.verifyAccount({
      accountSid,
      authToken,
      messagingServiceSid,
    });
    return ok
      ? null
      : bad(`${detail.replace(/\.?$/, '')}: have its owner mend it in the settings.`);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return bad(
      `its credentials can't be decrypted (${describeFailure(error)}): give SECRET_KEY the key they were sealed with, or have its owner enter them again.`,
    );
  }
}
