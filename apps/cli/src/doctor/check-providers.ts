import type { ProviderStore } from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';
import { findVendor, toApiUrlSetting } from '@switchboard/providers/vendors';
import type { Finding } from './finding.ts';

const PAGE_SIZE = 8;

export interface CheckProvidersDependencies {
  providers: Pick<ProviderStore, 'findById' | 'listSealed'>;
  resolveProviderAccount: ResolveProviderAccount;
}

type Result =
  | { kind: 'good' }
  /** The owner has removed the provider since. */
  | { kind: 'removed' }
  /** The settings of the workspace are wrong, and only its owner can change them. */
  | { kind: 'wrong'; detail: string }
  /** The provider is not reachable, which is a problem of the operator's network. */
  | { kind: 'unreachable'; type: string; detail: string };

/**
 * Checks that each workspace's account can send. Returns one finding for all valid accounts, and one
 * for each invalid account.
 */
export async function checkProviders(dependencies: CheckProvidersDependencies): Promise<Finding[]> {
  const problems: Finding[] = [];
  const unreachable: Extract<Result, { kind: 'unreachable' }>[] = [];
  let checked = 0;
  let good = 0;
  let afterId: string | null = null;
  for (;;) {
    const page = await dependencies.providers.listSealed(afterId, PAGE_SIZE);
    const results = await Promise.all(
      page.map(async ({ id, workspaceId }) => ({
        workspaceId,
        ...(await checkOne(dependencies, workspaceId, id)),
      })),
    );
    for (const result of results) {
      if (result.kind === 'good') good += 1;
      else if (result.kind === 'unreachable') unreachable.push(result);
      else if (result.kind === 'wrong') {
        const detail = `Workspace ${result.workspaceId}: ${result.detail}`;
        problems.push({ result: 'problem', part: 'provider', detail });
      }
    }
    checked += results.filter(({ kind }) => kind !== 'removed').length;
    afterId = page.at(-1)?.id ?? null;
    if (page.length < PAGE_SIZE) break;
    // Every further workspace would wait for the same timeout.
    if (results.every(({ kind }) => kind === 'unreachable')) break;
  }
  const [first] = unreachable;
  if (first !== undefined) {
    const detail = `The provider does not respond to this machine (${first.detail}), so ${unreachable.length} of ${checked} workspaces' credentials were not checked: check ${describeAddress(first.type)}, DNS and the firewall.`;
    problems.unshift({ result: 'problem', part: 'providers', detail });
  } else {
    const detail =
      checked === 0
        ? 'No workspace has a provider yet.'
        : `${good} of ${checked} workspaces' credentials are valid.`;
    problems.unshift({ result: 'good', part: 'providers', detail });
  }
  return problems;
}

/** Names where the address of the provider's server is configured. */
function describeAddress(type: string): string {
  return findVendor(type)?.api ? toApiUrlSetting(type) : 'the address in the credentials';
}

async function checkOne(
  { providers, resolveProviderAccount }: CheckProvidersDependencies,
  workspaceId: string,
  id: string,
): Promise<Result> {
  const provider = await providers.findById(id);
  if (provider === null) return { kind: 'removed' };
  const resolved = resolveProviderAccount(workspaceId, provider);
  if (resolved.kind === 'unusable') {
    const remedy =
      resolved.reason === 'undecryptable'
        ? "add the key they were sealed with to SECRET_KEY, or have the workspace's owner enter them again"
        : "the workspace's owner must set another account";
    return { kind: 'wrong', detail: `${resolved.detail}: ${remedy}.` };
  }
  const check = await resolved.adapter.verifyAccount(resolved.account);
  if (check.ok) return { kind: 'good' };
  const reason = check.detail.replace(/\.?$/, '');
  return check.isUnavailable
    ? { kind: 'unreachable', type: provider.type, detail: reason }
    : {
        kind: 'wrong',
        detail: `${reason}: the workspace's owner must correct it in the settings.`,
      };
}
